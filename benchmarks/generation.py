"""How fast candidates are sampled, beside the stock way, in one run.

    python benchmarks/generation.py cpu [--generator FOLDER|-] [--tokenizer FOLDER]
    python benchmarks/generation.py cuda [--dtype float32|bfloat16] [--tf32] [--quick]
                                         [--sdpa efficient|cudnn|math] [--profile]

`cpu`: 32 candidates of 5 s (63 tokens) from the shipped model, a folder, or for `-` random
weights of its sizes, with the model's guidance and without; with a tokenizer, the time
until there are motions. `cuda`: a decoder of
Flan-T5-base's sizes with random weights and the motion vocabulary, 32 candidates of 128
tokens, against `generate` of Hugging Face transformers; same precision, same vocabulary.
`--quick` leaves out the stock rows but the batch; `--sdpa` fixes our attention kernels;
`--profile` prints where the time of our steps goes and stops.
"""

from __future__ import annotations

import importlib
import os
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch
import tyro
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from texedo.checkpoints.bundled import BUNDLED, GENERATOR, TOKENIZER
from texedo.language.encoder import BertCfg, TextEncoder
from texedo.language.word_pieces import WordPiece
from texedo.text.lm.artifact import MotionLanguageModel, load_language_model
from texedo.text.lm.candidates import Request, Shape, sample
from texedo.text.lm.decode_step import DecoderWeights, Memory, StepNet, text_memory
from texedo.text.lm.decoder import MotionDecoder, MotionDecoderCfg
from texedo.text.lm.decoding import Session
from texedo.text.lm.sampler import SamplingCfg
from texedo.text.lm.t5 import T5Model, t5_from_config

PROMPT = "a person walks forward and waves with the right hand"
NUM_CANDIDATES = 32
FLAN_T5_BASE: dict[str, Any] = {
    "vocab_size": 32100 + 7779,
    "d_model": 768,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 12,
    "num_heads": 12,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
}
CUDA_TOKENS, CPU_TOKENS, TEXT_TOKENS = 128, 63, 16


def timed(work: Callable[[], object], *, repeats: int) -> tuple[float, float]:
    """Seconds of the first call, and the median of the others."""
    seconds = []
    for _ in range(repeats + 1):
        _wait()
        start = time.perf_counter()
        work()
        _wait()
        seconds.append(time.perf_counter() - start)
    return seconds[0], statistics.median(seconds[1:])


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def random_model() -> MotionLanguageModel:
    """The shipped sizes; words that are only numbered."""
    torch.manual_seed(0)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *PROMPT.split()]
    pieces += [f"[unused{i}]" for i in range(30522 - len(pieces))]
    encoder = TextEncoder(BertCfg())
    words = WordPiece(pieces, encoder.cfg.max_tokens)
    return MotionLanguageModel(encoder, words, MotionDecoder(MotionDecoderCfg()))


@dataclass(frozen=True)
class CpuCfg:
    """Time 32 candidates on the CPU."""

    generator: str = str(BUNDLED / GENERATOR)
    """Folder of a language model, or - for random weights of its sizes."""
    tokenizer: str = str(BUNDLED / TOKENIZER)
    """Folder of a tokenizer; empty for tokens alone."""


def on_cpu(options: tyro.conf.OmitArgPrefixes[CpuCfg]) -> None:
    """Time 32 candidates on the CPU."""
    started = time.perf_counter()
    random = options.generator == "-"
    model = random_model() if random else load_language_model(options.generator)
    model.sample_tokens([PROMPT], 1, seed=0, num_tokens=4)
    ready = time.perf_counter() - started
    parts = {
        "text encoder": model.text_encoder,
        "decoder": model.decoder,
        "of it layers": model.decoder.decoder,
    }
    for name, module in parts.items():
        print(f"{name:14} {sum(p.numel() for p in module.parameters()) / 1e6:7.2f} M")
    print(f"ready to sample after {ready:.2f} s; load average {os.getloadavg()[0]:.1f}")

    def tokens(threads: int) -> list[Any]:
        return model.sample_tokens(
            [PROMPT], NUM_CANDIDATES, seed=0, num_tokens=CPU_TOKENS, threads=threads
        )[0]

    own = model.guidance
    for threads, model.guidance in ((1, 1.0), (2, 1.0), (1, own), (2, own)):
        before = time.process_time()
        first, median = timed(partial(tokens, threads), repeats=4)
        busy = (time.process_time() - before) / 5
        print(
            f"{NUM_CANDIDATES} x {CPU_TOKENS} tokens, guidance {model.guidance:g}, "
            f"{threads} thread(s): "
            f"{median:.2f} s (first {first:.2f}), {busy:.2f} s of CPU"
        )
    _, one = timed(lambda: model.memory([PROMPT]), repeats=4)
    print(f"text encoder alone: {1e3 * one:.0f} ms")
    if options.tokenizer:
        with_decoding(options.tokenizer, partial(tokens, 2))


def with_decoding(folder: str, tokens: Callable[[], list[Any]]) -> None:
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    tokenizer = load_tokenizer(folder)
    rows = tokens()
    _, decoding = timed(lambda: tokenizer.decode(rows), repeats=3)
    _, both = timed(lambda: tokenizer.decode(tokens()), repeats=3)
    print(f"decoding {decoding:.2f} s; prompt to motions {both:.2f} s (target 2.0)")


class FlanSized:
    """Our sampling of a T5 with the given rows of its vocabulary."""

    def __init__(self, model: T5Model, first: int) -> None:
        self.model = model
        table, head = model.shared.weight[first:], model.lm_head.weight[first:]
        self.net = StepNet(
            DecoderWeights(model.decoder, table, head, 0), max_steps=CUDA_TOKENS
        )
        self.sessions: dict[Shape, Session] = {}
        self.ids = torch.randint(32000, (1, TEXT_TOKENS), device=self.device)

    @property
    def device(self) -> torch.device:
        return self.model.shared.weight.device

    @torch.inference_mode()
    def memory(self, prompts: Sequence[str]) -> Memory:
        ids = self.ids.expand(len(prompts), -1)
        mask = torch.ones_like(ids, dtype=torch.bool)
        states: Tensor = self.model.encode(ids, mask)
        return text_memory(self.model.decoder, states, mask)

    def sample(self) -> list[Any]:
        size = self.model.cfg.d_model
        request = Request(
            prompts=(PROMPT,),
            n=NUM_CANDIDATES,
            seed=0,
            sampling=SamplingCfg(top_k=50, top_p=0.95),
            step_inputs=torch.zeros(CUDA_TOKENS, size, device=self.device),
            min_tokens=CUDA_TOKENS,
        )
        rows = sample(self, request)[0]
        assert all(len(row) == CUDA_TOKENS for row in rows)
        return rows


def stock(model: T5Model) -> Callable[..., object]:
    """`generate` of transformers with the same weights."""
    transformers: Any = importlib.import_module("transformers")
    config = transformers.T5Config(
        **FLAN_T5_BASE, decoder_start_token_id=0, eos_token_id=1, pad_token_id=0
    )
    reference = (
        transformers.T5ForConditionalGeneration(config)
        .eval()
        .to("cuda", model.lm_head.weight.dtype)
    )
    weights = model.state_dict()
    weights["encoder.embed_tokens.weight"] = weights["shared.weight"]
    weights["decoder.embed_tokens.weight"] = weights["shared.weight"]
    reference.load_state_dict(weights, strict=False)
    ids = torch.randint(32000, (1, TEXT_TOKENS), device="cuda")

    def generate(count: int, **extra: Any) -> object:
        return reference.generate(
            input_ids=ids.expand(count, -1),
            attention_mask=torch.ones_like(ids).expand(count, -1),
            do_sample=True,
            temperature=1.0,
            top_k=50,
            top_p=0.95,
            min_new_tokens=CUDA_TOKENS,
            max_new_tokens=CUDA_TOKENS,
            **extra,
        )

    return generate


@dataclass(frozen=True)
class CudaCfg:
    """Time 32 candidates on a GPU, beside the stock way."""

    dtype: Literal["float32", "bfloat16"] = "float32"
    """Precision of both."""
    tf32: bool = False
    """Products in TF32."""
    quick: bool = False
    """Leave out the stock rows but the batch."""
    sdpa: Literal["efficient", "cudnn", "math"] | None = None
    """Fix our attention kernels."""
    profile: bool = False
    """Print where the time of our steps goes, and stop."""


def on_cuda(options: tyro.conf.OmitArgPrefixes[CudaCfg]) -> None:
    """Time 32 candidates on a GPU, beside the stock way."""
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high" if options.tf32 else "highest")
    dtype: torch.dtype = getattr(torch, options.dtype)
    model = t5_from_config(FLAN_T5_BASE).eval().to("cuda", dtype)
    tf32 = ", TF32 products" if options.tf32 else ""
    print(torch.cuda.get_device_name(), f"torch {torch.__version__}, {dtype}{tf32}")
    results: dict[str, float] = {}
    with attention(options.sdpa):
        for name, first in (
            ("ours, whole vocabulary", 0),
            ("ours, motion codes", 32100),
        ):
            ours = FlanSized(model, first)
            cold, results[name] = timed(ours.sample, repeats=5)
            print(f"{name:32} {results[name]:8.3f} s (first {cold:.2f})", flush=True)
            if options.profile:
                return profile(ours.sample)
    with_stock(stock(model), results, quick=options.quick)
    base = results["ours, whole vocabulary"]
    for name, seconds in results.items():
        print(f"{name:32} {seconds / base:8.1f} x ours (target for the batch: 12)")


def attention(kind: str | None) -> AbstractContextManager[None]:
    """Which kernels attend while steps are recorded; None leaves it to torch."""
    if kind is None:
        return nullcontext()
    backends = {
        "efficient": SDPBackend.EFFICIENT_ATTENTION,
        "cudnn": SDPBackend.CUDNN_ATTENTION,
        "math": SDPBackend.MATH,
    }
    chosen: AbstractContextManager[None] = sdpa_kernel(backends[kind])
    return chosen


def profile(work: Callable[[], object]) -> None:
    """The kernels of one call, by their time on the device."""
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as trace:
        work()
        _wait()
    table = trace.key_averages().table(
        sort_by="self_device_time_total", row_limit=30, max_name_column_width=90
    )
    print(table)


def with_stock(
    generate: Callable[..., object], results: dict[str, float], *, quick: bool
) -> None:
    """Add the rows of `generate`."""
    _, eager = timed(lambda: generate(NUM_CANDIDATES), repeats=2)
    results["stock, batch of 32"] = eager
    print(f"{'stock, batch of 32':32} {eager:8.3f} s", flush=True)
    if quick:
        return
    _, single = timed(lambda: generate(1), repeats=2)
    looped = NUM_CANDIDATES * single
    results["stock, loop of 32"] = looped
    print(f"{'stock, loop of 32':32} {looped:8.3f} s (2 timed, times 16)", flush=True)
    try:
        _, static = timed(
            lambda: generate(NUM_CANDIDATES, cache_implementation="static"), repeats=2
        )
        results["stock, static and compiled"] = static
        print(f"{'stock, static and compiled':32} {static:8.3f} s", flush=True)
    except Exception as error:  # Whatever it is, the rest still counts.
        print(f"stock, static and compiled: failed: {str(error).splitlines()[0]}")


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict(
        {"cpu": on_cpu, "cuda": on_cuda},
        description=__doc__,
        config=(tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone),
    )
