"""Laws without an oracle: files and situations are changed in ways that may change no answer.

A *game* (`game.py`) is rule files, a situation and questions. A *law* (`law.py`) changes one, with the promise that each
question has the answer that it had, or says what two answers have to do with each other. Nobody needs to know what
the right answer is: two that should be equal and are not suffice (as SQLancer does it with databases).

- `sources.py`: games that come along (shipped examples, pages of the manual, toys), and games made up at random;
- `answers.py`: what an answer is: exact laws in the game's words, or bounds where a choice is open;
- `lines.py`, `sentences.py`, `files.py`, `situations.py`, `questions.py`: the laws; `alike.py`: one more, with games of its own;
- `trying.py`: one application by its number; `shrinking.py`: what is left of a game that breaks a law.

Must not know what a rule means.
"""
