"""Does a dynamic verifier know what the robot will manage?

rollouts.py      what happened: labelled motions of a test set
forecasts.py     what the verifier said of them, kept on disk
resample.py      intervals: prompts are drawn again
heads.py         one head at a time: AUROC, AUPRC, recall, rank correlations
pools.py         the candidates of each prompt as rows
ranking.py       order within a prompt, and what other rewards would choose
choosing.py      the best of N, against a random one and the oracle
calibration.py   is a probability a frequency; curve.py draws it
falls.py         when it falls, and alarms where it does not
bold.py          how far the joints travel, by sampling setting
splits.py        does the promise of a threshold hold on other prompts
paper.py         the paper's own figures
report.py        all of it; page.py: for people
"""
