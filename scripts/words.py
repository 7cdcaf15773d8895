"""Short texts that are shown and stand in no string of the program as they are.

Words of rows, as they stand in files too; phrases that are put together from keys; what the
libraries tell that the program is made with.
"""

WORDS = (
    *("undecided", "policy", "safest", "none", "unhurt", "light", "serious", "critical"),
    *("stunned", "dead", "killed", "wounds", "wound", "alive", "charge", "charges", "engage"),
    *("run", "walk", "shoot", "fire", "exact", "sampled", "trials", "yes", "no", "seed"),
    *("source", "assumed", "attack", "defence", "initiative", "mean", "total", "all", "fighter"),
    *("fighters", "points", "kills", "side", "people", "size", "power", "infinite", "unknown"),
    *("reading", "rout", "routed", "small", "medium", "large", "first", "second", "win", "draw"),
    *("loss", "wins", "draws", "losses", "nobody", "everybody", "turn", "turns", "card", "cards"),
    *("reserve", "refusal", "rally", "disengagement", "outward", "inward", "exactly", "worth"),
    *("head", "chest", "belly", "arm", "arms", "leg", "legs", "abdomen", "thorax", "frozen"),
    *("behind", "level", "ahead", "under cover", "mystic", "told", "exclusive", "cumulative"),
    *("compulsory", "forbidden", "sees target", "target unseen", "level 0", "aim", "any"),
    *("ranged weapon", "line of sight", "caster", "nothing", "median", "highest", "lowest"),
    *("short", "long", "still", "moved", "impassable", "hit", "missed", "parried", "flee"),
    *("charged", "target", "role", "weapon", "confidence", "file", "high", "low", "left"),
    *("right", "centre", "Undecided", "agility", "force", "agile", "morale", "retreat"),
    "move",
    *("allowance", "outcome", "leader"),
    *("retreat edge",),
    *("wing",),
    "miss",
    *("undefended", "front", "face", "shock", "hidden"),
    *("leave cost", "stack limit", "order range", "spell range", "fire range", "decoys"),
    "contact mark",
    "be a finite number",
    *("No such file or directory", "Permission denied", "No space left on device"),
    *("Is a directory", "Not a directory", "Read-only file system", "File name too long"),
    *(
        "applies",
        "immunity to wound penalties and Stunned",
        "two-handed",
    ),
    *("is not known", "pieces", "wings", "sides", "map", "routs", "lost"),
    *("facing", "world", "system", "processor", "flags", "cores", "load", "versions", "help"),
    *("share", "degrees", "pairs", "units"),
    *("damage", "compiled for", "others can write there"),
    *("no place for temporary files", "withdraw", "rest", "regroup", "reload", "handle"),
    *("merge", "resign"),
    *("passed", "failed", "shaken", "winded", "fresh", "exhausted", "spell", "contact", "special"),
    *("None", "faith", "mana", "lasting", "upkeep", "markers", "under_cover", "pursue"),
    *("tactics", "separation", "authority", "{} d"),
    *("good", "in command", "active", "n", "ne", "se", "s", "sw", "nw"),
    *("pistol", "crossbow", "bow", "rifle", "ballista"),
    *("95 % Wilson", "simple", "formation", "character", "decoy", "duel shock", "duel fire"),
)

# What click and the system tell: they have no French of their own. A pair is a plural.
OF_LIBRARIES: tuple[str | tuple[str, str], ...] = (
    *("Usage:", "Options", "Commands", "required", "default: {default}", "TEXT", "INTEGER"),
    *("FLOAT", "PATH", "RANGE", "OPTIONS", "COMMAND", "ARGS", "FRACTION", "HALF_WIDTH"),
    *("Show the version and exit.", "Show this message and exit.", "Missing command."),
    *("Try '{command} {option}' for help.", "Invalid value: {message}"),
    *("Invalid value for {param_hint}: {message}", "Missing argument", "Missing option"),
    *("Missing parameter", "No such option {name!r}.", "No such option: {name}"),
    *("No such command {name!r}.", "Option {name!r} does not take a value."),
    *("Argument {name!r} takes {nargs} values.", "Choose from:\n\t{choices}"),
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    (
        "Takes {nargs} values but 1 was given.",
        "Takes {nargs} values but {len} were given.",
    ),
)
