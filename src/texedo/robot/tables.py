"""The 29-DoF Unitree G1 (`g1_29dof_rev_1_0`) as tables: bodies, joints, contact shapes.

Published figures of the robot, one row each; everything else in `texedo.robot` is
derived from these rows. Lengths in metres, masses in kg, inertias in kg m^2, angles in
radians, quaternions wxyz. Joint anchors sit at the body origin.
"""

from __future__ import annotations

from typing import NamedTuple

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]


class BodyRow(NamedTuple):
    """One rigid body and the hinge that carries it (the pelvis floats)."""

    name: str
    parent: str
    pos: Vec3
    quat: Quat
    mass: float
    com: Vec3
    inertia_quat: Quat
    inertia: Vec3


class JointRow(NamedTuple):
    """One hinge, its range, its motor and the two standing poses."""

    name: str
    body: str
    axis: str
    lower: float
    upper: float
    motor: str
    knees_bent: float
    home: float


class ShapeRow(NamedTuple):
    """One contact primitive: a capsule from `start` to `end`, a sphere if they are equal."""

    name: str
    body: str
    radius: float
    start: Vec3
    end: Vec3


# fmt: off
BODY_ROWS: tuple[BodyRow, ...] = (
    BodyRow("pelvis", "", (0.0, 0.0, 0.793), (1.0, 0.0, 0.0, 0.0), 3.813, (0.0, 0.0, -0.07605), (1.0, 0.0, -0.000399148, 0.0), (0.010549, 0.0093089, 0.0079184)),
    BodyRow("left_hip_pitch_link", "pelvis", (0.0, 0.064452, -0.1027), (1.0, 0.0, 0.0, 0.0), 1.35, (0.002741, 0.047791, -0.02606), (0.954862, 0.293964, 0.0302556, 0.030122), (0.00181517, 0.00153422, 0.00116212)),
    BodyRow("left_hip_roll_link", "left_hip_pitch_link", (0.0, 0.052, -0.030465), (0.996179, 0.0, -0.0873386, 0.0), 1.52, (0.029812, -0.001045, -0.087934), (0.977808, -1.97119e-05, 0.205576, -0.0403793), (0.00254986, 0.00241169, 0.00148755)),
    BodyRow("left_hip_yaw_link", "left_hip_roll_link", (0.025001, 0.0, -0.12412), (1.0, 0.0, 0.0, 0.0), 1.702, (-0.057709, -0.010981, -0.15078), (0.600598, 0.15832, 0.223482, 0.751181), (0.00776166, 0.00717575, 0.00160139)),
    BodyRow("left_knee_link", "left_hip_yaw_link", (-0.078273, 0.0021489, -0.17734), (0.996179, 0.0, 0.0873386, 0.0), 1.932, (0.005457, 0.003964, -0.12074), (0.923418, -0.0327699, 0.0158246, 0.382067), (0.0113804, 0.0112778, 0.00146458)),
    BodyRow("left_ankle_pitch_link", "left_knee_link", (0.0, -9.4445e-05, -0.30001), (1.0, 0.0, 0.0, 0.0), 0.074, (-0.007269, 0.0, 0.011137), (0.603053, 0.369225, 0.369225, 0.603053), (1.89e-05, 1.40805e-05, 6.9195e-06)),
    BodyRow("left_ankle_roll_link", "left_ankle_pitch_link", (0.0, 0.0, -0.017558), (1.0, 0.0, 0.0, 0.0), 0.608, (0.026505, 0.0, -0.016425), (-0.000481092, 0.728482, -0.000618967, 0.685065), (0.00167218, 0.0016161, 0.000217621)),
    BodyRow("right_hip_pitch_link", "pelvis", (0.0, -0.064452, -0.1027), (1.0, 0.0, 0.0, 0.0), 1.35, (0.002741, -0.047791, -0.02606), (0.954862, -0.293964, 0.0302556, -0.030122), (0.00181517, 0.00153422, 0.00116212)),
    BodyRow("right_hip_roll_link", "right_hip_pitch_link", (0.0, -0.052, -0.030465), (0.996179, 0.0, -0.0873386, 0.0), 1.52, (0.029812, 0.001045, -0.087934), (0.977808, 1.97119e-05, 0.205576, 0.0403793), (0.00254986, 0.00241169, 0.00148755)),
    BodyRow("right_hip_yaw_link", "right_hip_roll_link", (0.025001, 0.0, -0.12412), (1.0, 0.0, 0.0, 0.0), 1.702, (-0.057709, 0.010981, -0.15078), (0.751181, 0.223482, 0.15832, 0.600598), (0.00776166, 0.00717575, 0.00160139)),
    BodyRow("right_knee_link", "right_hip_yaw_link", (-0.078273, -0.0021489, -0.17734), (0.996179, 0.0, 0.0873386, 0.0), 1.932, (0.005457, -0.003964, -0.12074), (0.923439, 0.0345276, 0.0116333, -0.382012), (0.011374, 0.0112843, 0.00146452)),
    BodyRow("right_ankle_pitch_link", "right_knee_link", (0.0, 9.4445e-05, -0.30001), (1.0, 0.0, 0.0, 0.0), 0.074, (-0.007269, 0.0, 0.011137), (0.603053, 0.369225, 0.369225, 0.603053), (1.89e-05, 1.40805e-05, 6.9195e-06)),
    BodyRow("right_ankle_roll_link", "right_ankle_pitch_link", (0.0, 0.0, -0.017558), (1.0, 0.0, 0.0, 0.0), 0.608, (0.026505, 0.0, -0.016425), (0.000481092, 0.728482, 0.000618967, 0.685065), (0.00167218, 0.0016161, 0.000217621)),
    BodyRow("waist_yaw_link", "pelvis", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.214, (0.003494, 0.000233, 0.018034), (0.289697, 0.591001, -0.337795, 0.672821), (0.000163531, 0.000107714, 0.000102205)),
    BodyRow("waist_roll_link", "waist_yaw_link", (-0.0039635, 0.0, 0.044), (1.0, 0.0, 0.0, 0.0), 0.086, (0.0, 2.3e-05, 0.0), (0.5, 0.5, -0.5, 0.5), (8.245e-06, 7.079e-06, 6.339e-06)),
    BodyRow("torso_link", "waist_roll_link", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 7.818, (0.00203158, 0.000339683, 0.184568), (0.999803, -6.03319e-05, 0.0198256, 0.00131986), (0.121847, 0.109825, 0.0273735)),
    BodyRow("left_shoulder_pitch_link", "torso_link", (0.0039563, 0.10022, 0.24778), (0.990264, 0.139201, 1.38722e-05, -9.86868e-05), 0.718, (0.0, 0.035892, -0.011628), (0.654152, 0.0130458, -0.326267, 0.68225), (0.000465864, 0.000432842, 0.000406394)),
    BodyRow("left_shoulder_roll_link", "left_shoulder_pitch_link", (0.0, 0.038, -0.013831), (0.990268, -0.139172, 0.0, 0.0), 0.643, (-0.000227, 0.00727, -0.063243), (0.701256, -0.0196223, -0.00710317, 0.712604), (0.000691311, 0.000618011, 0.000388977)),
    BodyRow("left_shoulder_yaw_link", "left_shoulder_roll_link", (0.0, 0.00624, -0.1032), (1.0, 0.0, 0.0, 0.0), 0.734, (0.010773, -0.002949, -0.072009), (0.716879, -0.0964829, -0.0679942, 0.687134), (0.00106187, 0.00103217, 0.000400661)),
    BodyRow("left_elbow_link", "left_shoulder_yaw_link", (0.015783, 0.0, -0.080518), (1.0, 0.0, 0.0, 0.0), 0.6, (0.064956, 0.004454, -0.010062), (0.541765, 0.636132, 0.388821, 0.388129), (0.000443035, 0.000421612, 0.000259353)),
    BodyRow("left_wrist_roll_link", "left_elbow_link", (0.1, 0.00188791, -0.01), (1.0, 0.0, 0.0, 0.0), 0.085445, (0.0171394, 0.000537591, 4.8864e-07), (0.575338, 0.411667, -0.574906, 0.411094), (5.48211e-05, 4.96646e-05, 3.57798e-05)),
    BodyRow("left_wrist_pitch_link", "left_wrist_roll_link", (0.038, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.48405, (0.0229999, -0.00111685, -0.00111658), (0.249998, 0.661363, 0.293036, 0.643608), (0.000430353, 0.000429873, 0.000164648)),
    BodyRow("left_wrist_yaw_link", "left_wrist_pitch_link", (0.046, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.254576, (0.0708244, 0.000191745, 0.00161742), (0.510571, 0.526295, 0.468078, 0.493188), (0.000646113, 0.000559993, 0.000147566)),
    BodyRow("right_shoulder_pitch_link", "torso_link", (0.0039563, -0.10021, 0.24778), (0.990264, -0.139201, 1.38722e-05, 9.86868e-05), 0.718, (0.0, -0.035892, -0.011628), (0.68225, -0.326267, 0.0130458, 0.654152), (0.000465864, 0.000432842, 0.000406394)),
    BodyRow("right_shoulder_roll_link", "right_shoulder_pitch_link", (0.0, -0.038, -0.013831), (0.990268, 0.139172, 0.0, 0.0), 0.643, (-0.000227, -0.00727, -0.063243), (0.712604, -0.00710317, -0.0196223, 0.701256), (0.000691311, 0.000618011, 0.000388977)),
    BodyRow("right_shoulder_yaw_link", "right_shoulder_roll_link", (0.0, -0.00624, -0.1032), (1.0, 0.0, 0.0, 0.0), 0.734, (0.010773, 0.002949, -0.072009), (0.687134, -0.0679942, -0.0964829, 0.716879), (0.00106187, 0.00103217, 0.000400661)),
    BodyRow("right_elbow_link", "right_shoulder_yaw_link", (0.015783, 0.0, -0.080518), (1.0, 0.0, 0.0, 0.0), 0.6, (0.064956, -0.004454, -0.010062), (0.388129, 0.388821, 0.636132, 0.541765), (0.000443035, 0.000421612, 0.000259353)),
    BodyRow("right_wrist_roll_link", "right_elbow_link", (0.1, -0.00188791, -0.01), (1.0, 0.0, 0.0, 0.0), 0.085445, (0.0171394, -0.000537591, 4.8864e-07), (0.411667, 0.575338, -0.411094, 0.574906), (5.48211e-05, 4.96646e-05, 3.57798e-05)),
    BodyRow("right_wrist_pitch_link", "right_wrist_roll_link", (0.038, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.48405, (0.0229999, 0.00111685, -0.00111658), (0.643608, 0.293036, 0.661363, 0.249998), (0.000430353, 0.000429873, 0.000164648)),
    BodyRow("right_wrist_yaw_link", "right_wrist_pitch_link", (0.046, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.254576, (0.0708244, -0.000191745, 0.00161742), (0.493188, 0.468078, 0.526295, 0.510571), (0.000646113, 0.000559993, 0.000147566)),
)

JOINT_ROWS: tuple[JointRow, ...] = (
    JointRow("left_hip_pitch_joint", "left_hip_pitch_link", "y", -2.5307, 2.8798, "7520-14", -0.312, -0.1),
    JointRow("left_hip_roll_joint", "left_hip_roll_link", "x", -0.5236, 2.9671, "7520-22", 0.0, 0.0),
    JointRow("left_hip_yaw_joint", "left_hip_yaw_link", "z", -2.7576, 2.7576, "7520-14", 0.0, 0.0),
    JointRow("left_knee_joint", "left_knee_link", "y", -0.087267, 2.8798, "7520-22", 0.669, 0.3),
    JointRow("left_ankle_pitch_joint", "left_ankle_pitch_link", "y", -0.87267, 0.5236, "2x5020", -0.363, -0.2),
    JointRow("left_ankle_roll_joint", "left_ankle_roll_link", "x", -0.2618, 0.2618, "2x5020", 0.0, 0.0),
    JointRow("right_hip_pitch_joint", "right_hip_pitch_link", "y", -2.5307, 2.8798, "7520-14", -0.312, -0.1),
    JointRow("right_hip_roll_joint", "right_hip_roll_link", "x", -2.9671, 0.5236, "7520-22", 0.0, 0.0),
    JointRow("right_hip_yaw_joint", "right_hip_yaw_link", "z", -2.7576, 2.7576, "7520-14", 0.0, 0.0),
    JointRow("right_knee_joint", "right_knee_link", "y", -0.087267, 2.8798, "7520-22", 0.669, 0.3),
    JointRow("right_ankle_pitch_joint", "right_ankle_pitch_link", "y", -0.87267, 0.5236, "2x5020", -0.363, -0.2),
    JointRow("right_ankle_roll_joint", "right_ankle_roll_link", "x", -0.2618, 0.2618, "2x5020", 0.0, 0.0),
    JointRow("waist_yaw_joint", "waist_yaw_link", "z", -2.618, 2.618, "7520-14", 0.0, 0.0),
    JointRow("waist_roll_joint", "waist_roll_link", "x", -0.52, 0.52, "2x5020", 0.0, 0.0),
    JointRow("waist_pitch_joint", "torso_link", "y", -0.52, 0.52, "2x5020", 0.0, 0.0),
    JointRow("left_shoulder_pitch_joint", "left_shoulder_pitch_link", "y", -3.0892, 2.6704, "5020", 0.2, 0.2),
    JointRow("left_shoulder_roll_joint", "left_shoulder_roll_link", "x", -1.5882, 2.2515, "5020", 0.2, 0.2),
    JointRow("left_shoulder_yaw_joint", "left_shoulder_yaw_link", "z", -2.618, 2.618, "5020", 0.0, 0.0),
    JointRow("left_elbow_joint", "left_elbow_link", "y", -1.0472, 2.0944, "5020", 0.6, 1.28),
    JointRow("left_wrist_roll_joint", "left_wrist_roll_link", "x", -1.97222, 1.97222, "5020", 0.0, 0.0),
    JointRow("left_wrist_pitch_joint", "left_wrist_pitch_link", "y", -1.61443, 1.61443, "4010", 0.0, 0.0),
    JointRow("left_wrist_yaw_joint", "left_wrist_yaw_link", "z", -1.61443, 1.61443, "4010", 0.0, 0.0),
    JointRow("right_shoulder_pitch_joint", "right_shoulder_pitch_link", "y", -3.0892, 2.6704, "5020", 0.2, 0.2),
    JointRow("right_shoulder_roll_joint", "right_shoulder_roll_link", "x", -2.2515, 1.5882, "5020", -0.2, -0.2),
    JointRow("right_shoulder_yaw_joint", "right_shoulder_yaw_link", "z", -2.618, 2.618, "5020", 0.0, 0.0),
    JointRow("right_elbow_joint", "right_elbow_link", "y", -1.0472, 2.0944, "5020", 0.6, 1.28),
    JointRow("right_wrist_roll_joint", "right_wrist_roll_link", "x", -1.97222, 1.97222, "5020", 0.0, 0.0),
    JointRow("right_wrist_pitch_joint", "right_wrist_pitch_link", "y", -1.61443, 1.61443, "4010", 0.0, 0.0),
    JointRow("right_wrist_yaw_joint", "right_wrist_yaw_link", "z", -1.61443, 1.61443, "4010", 0.0, 0.0),
)

COLLISION_ROWS: tuple[ShapeRow, ...] = (
    ShapeRow("pelvis_collision", "pelvis", 0.07, (0.0, 0.0, -0.08), (0.0, 0.0, -0.08)),
    ShapeRow("left_hip_collision", "left_hip_roll_link", 0.06, (0.02, 0.0, 0.0), (0.02, 0.0, -0.08)),
    ShapeRow("left_thigh_collision", "left_hip_yaw_link", 0.055, (0.0, 0.0, -0.03), (-0.06, 0.0, -0.17)),
    ShapeRow("left_shin_collision", "left_knee_link", 0.045, (0.01, 0.0, 0.0), (0.01, 0.0, -0.15)),
    ShapeRow("left_linkage_brace_collision", "left_knee_link", 0.03, (0.01, 0.0, -0.2), (0.01, 0.0, -0.28)),
    ShapeRow("left_foot1_collision", "left_ankle_roll_link", 0.01, (0.1, -0.026, -0.025), (0.05, -0.027, -0.025)),
    ShapeRow("left_foot2_collision", "left_ankle_roll_link", 0.01, (-0.044, -0.018, -0.025), (0.123, -0.018, -0.025)),
    ShapeRow("left_foot3_collision", "left_ankle_roll_link", 0.01, (-0.052, -0.01, -0.025), (0.13, -0.01, -0.025)),
    ShapeRow("left_foot4_collision", "left_ankle_roll_link", 0.01, (-0.054, 0.0, -0.025), (0.132, 0.0, -0.025)),
    ShapeRow("left_foot5_collision", "left_ankle_roll_link", 0.01, (-0.052, 0.01, -0.025), (0.13, 0.01, -0.025)),
    ShapeRow("left_foot6_collision", "left_ankle_roll_link", 0.01, (-0.044, 0.018, -0.025), (0.123, 0.018, -0.025)),
    ShapeRow("left_foot7_collision", "left_ankle_roll_link", 0.01, (0.1, 0.026, -0.025), (0.05, 0.026, -0.025)),
    ShapeRow("right_hip_collision", "right_hip_roll_link", 0.06, (0.02, 0.0, 0.0), (0.02, 0.0, -0.08)),
    ShapeRow("right_thigh_collision", "right_hip_yaw_link", 0.055, (0.0, 0.0, -0.03), (-0.06, 0.0, -0.17)),
    ShapeRow("right_shin_collision", "right_knee_link", 0.045, (0.01, 0.0, 0.0), (0.01, 0.0, -0.15)),
    ShapeRow("right_linkage_brace_collision", "right_knee_link", 0.03, (0.01, 0.0, -0.2), (0.01, 0.0, -0.28)),
    ShapeRow("right_foot1_collision", "right_ankle_roll_link", 0.01, (0.1, -0.026, -0.025), (0.05, -0.026, -0.025)),
    ShapeRow("right_foot2_collision", "right_ankle_roll_link", 0.01, (-0.044, -0.018, -0.025), (0.123, -0.018, -0.025)),
    ShapeRow("right_foot3_collision", "right_ankle_roll_link", 0.01, (-0.052, -0.01, -0.025), (0.13, -0.01, -0.025)),
    ShapeRow("right_foot4_collision", "right_ankle_roll_link", 0.01, (-0.054, 0.0, -0.025), (0.132, 0.0, -0.025)),
    ShapeRow("right_foot5_collision", "right_ankle_roll_link", 0.01, (-0.052, 0.01, -0.025), (0.13, 0.01, -0.025)),
    ShapeRow("right_foot6_collision", "right_ankle_roll_link", 0.01, (-0.044, 0.018, -0.025), (0.123, 0.018, -0.025)),
    ShapeRow("right_foot7_collision", "right_ankle_roll_link", 0.01, (0.1, 0.026, -0.025), (0.05, 0.026, -0.025)),
    ShapeRow("torso_collision", "torso_link", 0.09, (0.01, 0.0, 0.08), (0.01, 0.0, 0.2)),
    ShapeRow("head_collision", "torso_link", 0.06, (0.0, 0.0, 0.43), (0.0, 0.0, 0.43)),
    ShapeRow("left_shoulder_yaw_collision", "left_shoulder_yaw_link", 0.035, (0.0, 0.0, -0.08), (0.0, 0.0, 0.05)),
    ShapeRow("left_elbow_yaw_collision", "left_elbow_link", 0.035, (-0.01, 0.0, -0.01), (0.08, 0.0, -0.01)),
    ShapeRow("left_wrist_collision", "left_wrist_pitch_link", 0.035, (-0.01, 0.0, 0.0), (0.06, 0.0, 0.0)),
    ShapeRow("left_hand_collision", "left_wrist_yaw_link", 0.035, (0.07, 0.0, 0.0), (0.15, -0.02, 0.0)),
    ShapeRow("right_shoulder_yaw_collision", "right_shoulder_yaw_link", 0.035, (0.0, 0.0, -0.08), (0.0, 0.0, 0.05)),
    ShapeRow("right_elbow_yaw_collision", "right_elbow_link", 0.035, (-0.01, 0.0, -0.01), (0.08, 0.0, -0.01)),
    ShapeRow("right_wrist_collision", "right_wrist_pitch_link", 0.035, (-0.01, 0.0, 0.0), (0.06, 0.0, 0.0)),
    ShapeRow("right_hand_collision", "right_wrist_yaw_link", 0.035, (0.07, 0.0, 0.0), (0.15, 0.02, 0.0)),
)
# fmt: on

CONTACT_EXCLUDES: tuple[tuple[str, str], ...] = (
    ("left_elbow_link", "left_wrist_pitch_link"),
    ("right_elbow_link", "right_wrist_pitch_link"),
    ("pelvis", "left_hip_roll_link"),
    ("pelvis", "right_hip_roll_link"),
)

SITE_ROWS: tuple[tuple[str, str, Vec3], ...] = (
    ("imu_in_pelvis", "pelvis", (0.04525, 0.0, -0.08339)),
    ("imu_in_torso", "torso_link", (-0.03959, -0.00224, 0.14792)),
    ("left_foot", "left_ankle_roll_link", (0.04, 0.0, -0.037)),
    ("right_foot", "right_ankle_roll_link", (0.04, 0.0, -0.037)),
    ("left_palm", "left_wrist_yaw_link", (0.08, 0.0, 0.0)),
    ("right_palm", "right_wrist_yaw_link", (0.08, 0.0, 0.0)),
)
