"""Postures that sentences ask for: "arms out to the sides", "on the left leg for 5 seconds".

types     a posture, and how it is written
phrases   what tells a posture: of arms, legs and trunk, and postures with a name
read      a sentence as a posture and what is left of it
steps     the steps of a sentence, and the posture of each
fits      how clearly a motion holds a posture
"""

from texedo.data.captions.postures.fits import fits as fits
from texedo.data.captions.postures.read import Taken as Taken
from texedo.data.captions.postures.read import taken_from as taken_from
from texedo.data.captions.postures.steps import in_two as in_two
from texedo.data.captions.postures.steps import is_bare as is_bare
from texedo.data.captions.postures.steps import postures_said as postures_said
from texedo.data.captions.postures.steps import steps_said as steps_said
from texedo.data.captions.postures.steps import times_of as times_of
from texedo.data.captions.postures.types import Posture as Posture
from texedo.data.captions.postures.types import read_posture as read_posture
