"""Every motion file there is, in and out: any layout and rate there, one `Motion` here.

Files are read by content, never by their ending, and a layout that a file does not
prove is refused unless it is named. docs/formats.md has the table.
"""

from texedo.formats.clip import FileClip as FileClip
from texedo.formats.folders import find_sources as find_sources
from texedo.formats.io import Loaded as Loaded
from texedo.formats.io import check_clip as check_clip
from texedo.formats.io import load_clip as load_clip
from texedo.formats.io import load_motion as load_motion
from texedo.formats.io import load_motions as load_motions
from texedo.formats.io import motion_from_clip as motion_from_clip
from texedo.formats.io import read_clips as read_clips
from texedo.formats.io import save_clip as save_clip
from texedo.formats.io import save_motion as save_motion
from texedo.formats.io import writable_formats as writable_formats
from texedo.formats.rates import Rate as Rate
from texedo.formats.rates import Reading as Reading
from texedo.formats.rates import tally as tally
from texedo.formats.registry import Candidate as Candidate
from texedo.formats.registry import detect as detect
from texedo.formats.registry import formats as formats
from texedo.formats.registry import get_format as get_format
from texedo.formats.spec import Format as Format
