"""Arms, trunk and legs that are held.

posture  a posture that is taken, held, and left again
posed    arms and trunk that are held while the rest of the body does something
"""

from texedo.data.synth.author.held.posed import posed as posed
from texedo.data.synth.author.held.posture import posture as posture
