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
    *("fire range {n}", "leave cost {n}", "stack limit {n}", "order range {n}", "decoys {n}"),
    *("spell range {n}", "contact mark {n}", "morale {n}", "rally {n}", "retreat {n}"),
    *("rout {n}", "shaken {n}", "exhausted {n}", "leader stacked or adjacent {n}", "move"),
    *("engaged not facing {n}", "allowance", "outcome", "allowance {n}", "leader"),
    *("retreat edge", "{who} runs", "{who} walks", "{who} charges {whom}"),
    *("{who} engages {whom}", "wing", "{who} pursues {whom}", "{who} flees"),
    *("{who} turns on the spot", "{who} charges", "{who} moves under cover"),
    *("{text} and falls short (M-4.4)", "{number} for relief", "{band} range", "miss"),
    *("undefended", "front", "front {n}", "face", "shock", "hidden"),
    *("be greater than {n}", "be less than {n}", "be a finite number"),
    *("be greater than or equal to {n}", "be less than or equal to {n}", "be {words} or {word}"),
    *("No such file or directory", "Permission denied", "No space left on device"),
    *("Is a directory", "Not a directory", "Read-only file system", "File name too long"),
    *("applies", "immunity to wound penalties and Stunned", "two-handed", "walk MOU x {times}"),
    *("engage MOU x {times}", "is not known", "pieces", "wings", "sides", "map", "routs", "lost"),
    *("facing", "world", "system", "processor", "flags", "cores", "load", "versions", "help"),
    *("damage", "compiled for", "{n:n} µs", "others can write there"),
    *("no place for temporary files", "withdraw", "rest", "regroup", "reload", "handle"),
    *("merge", "resign"),
)

# What click, pydantic and the system tell: they have no French of their own.
OF_LIBRARIES = (
    *("Usage:", "Options", "Commands", "required", "default: {default}", "TEXT", "INTEGER"),
    *("FLOAT", "PATH", "RANGE", "OPTIONS", "COMMAND", "ARGS", "FRACTION", "HALF_WIDTH"),
    *("Show the version and exit.", "Show this message and exit.", "Missing command."),
    *("Try '{command} {option}' for help.", "Error: {message}", "Invalid value: {message}"),
    *("Invalid value for {param_hint}: {message}", "Missing argument {name}."),
    *("Missing option {name}.", "Missing parameter {name}.", "No such option {name}."),
    *("No such option: {name}", "No such command {name}.", "Did you mean {possibility}?"),
    *("(Did you mean one of: {possibilities}?)", "(Possible options: {possibilities})"),
    *("Option {name} does not take a value.", "Option {name} requires an argument."),
    *("Option {name} requires {nargs:n} arguments.", "Argument {name} takes {nargs:n} values."),
    *("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    *("{value} is not one of {choices}.", "at least {low}", "at most {high}"),
    *("{message} (Did you mean one of: {possibilities}?)", "Choose from: {choices}"),
    *("{message} Did you mean {possibility}?", "Missing argument {name}. {message}"),
    *("Missing option {name}. {message}", "Takes {nargs:n} values but {len:n} were given."),
    *("Takes {nargs:n} values but 1 was given.",),
)
