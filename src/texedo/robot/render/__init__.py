"""Pictures and videos of the robot, with OpenGL where there is any and without.

    from texedo.robot.render import make_renderer, render_motion
    render_motion(motion, "walk.mp4", ghost=reference)

Imports Pillow; MuJoCo is loaded only when OpenGL is used.
"""

from texedo.robot.render.backend import Backend as Backend
from texedo.robot.render.backend import find_gl as find_gl
from texedo.robot.render.backend import make_renderer as make_renderer
from texedo.robot.render.camera import Camera as Camera
from texedo.robot.render.camera import View as View
from texedo.robot.render.camera import follow as follow
from texedo.robot.render.film import Rendered as Rendered
from texedo.robot.render.film import draw_frame as draw_frame
from texedo.robot.render.film import render_motion as render_motion
from texedo.robot.render.overlay import draw_label as draw_label
from texedo.robot.render.overlay import tile as tile
from texedo.robot.render.scene import Image as Image
from texedo.robot.render.scene import Renderer as Renderer
