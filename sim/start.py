"""Where the installed program begins: nothing is loaded before Ctrl-C can be answered."""

import sys


def main() -> None:
    """Run the command line; whoever stops it while it is loaded is shown no trace."""
    try:
        from .cli.main import main as run

        run()
    except KeyboardInterrupt:
        _say_stopped()
        sys.exit(1)


def _say_stopped() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who presses it twice wants no trace either
    from .text.speech import spoken, translated, usual_language

    with spoken(usual_language()):
        print(f"estoc: {translated('stopped by Ctrl-C; nothing was done')}", file=sys.stderr)


if __name__ == "__main__":
    main()
