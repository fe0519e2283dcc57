"""One question to one model, through the provider's own client, with retries."""

from __future__ import annotations

import base64
import importlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from texedo.core.errors import TexedoError
from texedo.evaluation.judges.vlm.models import Model, key_of

MAX_TOKENS = 4096
"""Of an answer."""
_LONGEST_WAIT = 120.0
"""What a server may ask us to wait [s]."""
_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
"""Answers after which it makes sense to try again."""


class Question(NamedTuple):
    """What a model gets."""

    rubric: str
    prompt: str
    pictures: Sequence[bytes]


class Refused(Exception):
    """The server did not answer; its key is not in the message."""

    def __init__(self, message: str, *, again: bool, wait: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        """It may answer later."""
        self.wait = wait
        """How long it asked us to wait [s]."""


class Client(Protocol):
    """One model."""

    def ask(self, question: Question) -> str:
        """The text of its answer, or `Refused`."""
        ...


def connect(model: Model, *, timeout: float) -> Client:
    """The client of a model; its package is loaded only here."""
    if model.kind == "openai":
        return OpenAI(model, timeout=timeout)
    return Gemini(model, timeout=timeout)


def ask_patiently(
    client: Client,
    question: Question,
    *,
    tries: int = 5,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Ask again after a busy server or a broken line, each time waiting longer."""
    for attempt in range(tries):
        try:
            return client.ask(question)
        except Refused as refused:
            if not refused.again or attempt == tries - 1:
                raise TexedoError(f"{refused} (tried {attempt + 1} times).") from None
            wait = refused.wait
            if wait is None:
                # Spread out, so that several of us do not come back together.
                wait = 2.0**attempt * (1 + 0.25 * random.random())
            if wait > _LONGEST_WAIT:
                raise TexedoError(
                    f"{refused}; it asks to wait {wait:.0f} s. What was answered is "
                    "kept: run the same command later."
                ) from None
            sleep(wait)
    raise AssertionError("tries must be at least 1")


class OpenAI:
    """OpenAI's interface, which most local servers speak too."""

    def __init__(self, model: Model, *, timeout: float) -> None:
        self._model, self._key = model, key_of(model)
        self._package = _package("openai")
        self._client = self._package.OpenAI(
            api_key=self._key, base_url=model.url, timeout=timeout, max_retries=0
        )

    def ask(self, question: Question) -> str:
        content: list[dict[str, Any]] = [
            {"type": "text", "text": f"Request: {question.prompt}"}
        ]
        for picture in question.pictures:
            data = base64.b64encode(picture).decode()
            url = {"url": f"data:image/png;base64,{data}"}
            content.append({"type": "image_url", "image_url": url})
        try:
            answer = self._client.chat.completions.create(
                model=self._model.name,
                temperature=0,
                max_completion_tokens=MAX_TOKENS,
                messages=[
                    {"role": "system", "content": question.rubric},
                    {"role": "user", "content": content},
                ],
            )
            return str(answer.choices[0].message.content or "")
        except self._package.APIStatusError as error:
            raise _status(
                self._model, error.status_code, str(error), error.response, self._key
            ) from None
        except self._package.APIError as error:
            raise _broken(self._model, error, self._key) from None
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise Refused(
                f"{self._model}: not an answer of this interface "
                f"({type(error).__name__})",
                again=False,
            ) from None


class Gemini:
    """Google's interface."""

    def __init__(self, model: Model, *, timeout: float) -> None:
        self._model, self._key = model, key_of(model)
        package = _package("google.genai")
        self._errors = _package("google.genai.errors")
        self._types = _package("google.genai.types")
        self._client = package.Client(
            api_key=self._key,
            http_options=self._types.HttpOptions(
                base_url=model.url, timeout=round(timeout * 1000)
            ),
        )

    def ask(self, question: Question) -> str:
        part = self._types.Part
        contents = [
            part.from_text(text=f"Request: {question.prompt}"),
            *(
                part.from_bytes(data=p, mime_type="image/png")
                for p in question.pictures
            ),
        ]
        try:
            answer = self._client.models.generate_content(
                model=self._model.name,
                contents=contents,
                config=self._types.GenerateContentConfig(
                    system_instruction=question.rubric,
                    temperature=0,
                    max_output_tokens=MAX_TOKENS,
                    response_mime_type="application/json",
                ),
            )
            return str(answer.text or "")
        except self._errors.APIError as error:
            response = getattr(error, "response", None)
            raise _status(
                self._model, error.code, str(error.message), response, self._key
            ) from None
        except Exception as error:
            # The client lets errors of its HTTP library through, whichever that is.
            raise _broken(self._model, error, self._key) from None


def _status(model: Model, code: int, message: str, response: Any, key: str) -> Refused:
    text = f"{model}: answered {code}, {_clean(message, key)}"
    return Refused(text, again=code in _AGAIN, wait=_retry_after(response))


def _broken(model: Model, error: Exception, key: str) -> Refused:
    """No answer: a timeout, or no connection."""
    told = _clean(str(error), key) or "no message"
    return Refused(f"{model}: {type(error).__name__}, {told}", again=True)


def _retry_after(response: Any) -> float | None:
    headers = getattr(response, "headers", None) or {}
    try:
        return max(float(headers.get("retry-after") or ""), 0.0)
    except (TypeError, ValueError):
        return None


def _clean(message: str, key: str) -> str:
    """One short line without the key."""
    text = " ".join(message.replace(key, "***").split()) if key else message
    return text if len(text) <= 200 else text[:197] + "..."


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise TexedoError(
            f"The vlm judge needs the package {name.replace('google.genai', 'google-genai').split('.')[0]}: "
            "pip install 'texedo[judge]'."
        ) from None
