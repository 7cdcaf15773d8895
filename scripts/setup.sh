# shellcheck shell=sh
# Sourced by the launchers beside it, which set $root: keeps .venv in step with pyproject.toml and
# constraints.txt. Uses only a POSIX shell and its utilities. Files of ours inside .venv:
#   setup.stamp   what the last finished set-up was made from, and its extra
#   setup.busy    a set-up has begun; left behind by one that was cut off: .venv can't be trusted
#   setup.lock    symbolic link to the process that sets up (making one is atomic, and says who)
#   setup.log     what venv and pip said

venv=$root/.venv
lock=$venv/setup.lock

# Exit status of a Python: 0 usable, 3 too old (2: so old that it lacks -I), 4 without venv.
check_python='
import sys
if sys.version_info < (3, 11):
    sys.exit(3)
try:
    import ensurepip, venv
except ImportError:
    sys.exit(4)
'
check_venv='
import sys
import pip
sys.exit(sys.version_info < (3, 11))
'

say() {
    printf '%s: %s\n' "$name" "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# prepare NAME EXTRA: make .venv hold the project with EXTRA (plain or dev), NAME speaks.
prepare() {
    name=$1
    extra=$2
    is_ready || set_up
    find_cache
}

# The folder's own path counts, since scripts inside .venv hold it, and so does the interpreter
# behind the link: /usr/bin/python3 can become another version.
state() {
    printf '%s %s %s\n' "$(cat -- "$root/pyproject.toml" "$root/constraints.txt" | cksum)" \
        "$(readlink -f -- "$venv/bin/python")" "$root"
}

is_ready() {
    [ -x "$venv/bin/python" ] && [ -r "$venv/setup.stamp" ] || return 1
    { IFS= read -r had_extra && IFS= read -r had_state; } <"$venv/setup.stamp" || return 1
    [ "$had_state" = "$(state)" ] || return 1
    [ "$had_extra" = "$extra" ] || [ "$had_extra" = dev ]
}

set_up() {
    mkdir -p -- "$venv" 2>/dev/null && [ -w "$venv" ] || fail "cannot write in $venv"
    take_lock
    if ! is_ready; then
        make_venv
        install
        prune_kernels
    fi
    drop_lock
}

take_lock() {
    waiting=
    until ln -s "$$" "$lock" 2>/dev/null; do
        owner=$(readlink -- "$lock") || continue
        if ! kill -0 "$owner" 2>/dev/null; then
            rm -f -- "$lock"
            continue
        fi
        [ -n "$waiting" ] || say "waiting for the set-up of .venv by process $owner …"
        waiting=yes
        sleep 1
    done
    trap drop_lock EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

drop_lock() {
    rm -f -- "$lock"
    trap - EXIT HUP INT TERM
}

make_venv() {
    if [ ! -e "$venv/setup.busy" ] && "$venv/bin/python" -I -c "$check_venv" 2>/dev/null; then
        say "updating .venv …"
        return
    fi
    find_python
    say "setting up .venv (first run, about a minute) …"
    : >"$venv/setup.busy"
    # Not "venv --clear", which would take the lock away as well.
    rm -rf -- "$venv/bin" "$venv/include" "$venv/lib" "$venv/lib64" "$venv/share" "$venv/pyvenv.cfg"
    "$python" -I -m venv "$venv" >"$venv/setup.log" 2>&1 ||
        fail "$python could not make .venv; see $venv/setup.log"
}

find_python() {
    reason="Python 3.11 or newer is needed and none was found (PYTHON=… names one)"
    set -- python3 python3.13 python3.12 python3.11
    if [ -n "${PYTHON:-}" ]; then
        reason="PYTHON=$PYTHON cannot be run"
        set -- "$PYTHON"
    fi
    found=
    for python do
        status=0
        "$python" -I -c "$check_python" >/dev/null 2>&1 || status=$?
        case $status in
            0) return ;;
            2 | 3) found=${found:-"Python 3.11 or newer is needed: $python is older (PYTHON=… names another)"} ;;
            4) found="$python lacks the venv module (Debian, Ubuntu: apt install python3-venv)" ;;
        esac
    done
    fail "${found:-$reason}"
}

install() {
    made_from=$(state)
    : >"$venv/setup.busy"
    rm -f -- "$venv/setup.stamp"
    case $extra in
        plain) target=. ;;
        *) target=.[$extra] ;;
    esac
    status=0
    run_pip install --quiet --constraint constraints.txt --editable "$target" || status=$?
    # A signal may have left half a package; pip's own failures leave whole ones.
    [ "$status" -gt 128 ] || rm -f -- "$venv/setup.busy"
    if [ "$status" -ne 0 ]; then
        why=$(sed -n 's/^ *ERROR: //p' "$venv/setup.log" | tail -n 1)
        fail "installing the packages failed (no network?): ${why:-pip ended with $status}; see $venv/setup.log"
    fi
    printf '%s\n%s\n' "$extra" "$made_from" >"$venv/setup.new"
    mv -- "$venv/setup.new" "$venv/setup.stamp"
}

# -I: neither the caller's PYTHON… variables nor the folders of the repository reach pip.
run_pip() {
    (cd -- "$root" && PIP_USER=0 "$venv/bin/python" -I -m pip --no-input --disable-pip-version-check "$@") \
        >"$venv/setup.log" 2>&1
}

# Compiled kernels and matplotlib's fonts are kept in the user's cache folder where that is writable.
# One with kernels that can only be read is read: the program keeps elsewhere what it lacks.
find_cache() {
    case ${XDG_CACHE_HOME:-} in
        /*) cache=$XDG_CACHE_HOME ;;
        *) cache=${HOME:+$HOME/.cache} ;;
    esac
    if [ -n "$cache" ]; then
        [ -w "$cache/estoc" ] || mkdir -p -- "$cache/estoc" 2>/dev/null || :
        [ ! -w "$cache/estoc" ] || return 0
    fi
    export MPLCONFIGDIR="${MPLCONFIGDIR:-$venv/cache/matplotlib}"
    for folder in "$cache"/estoc/kernels-????????????; do
        [ ! -r "$folder" ] || return 0
    done
    export XDG_CACHE_HOME="$venv/cache"
}

# Each edit of a kernel starts a new cache folder (kernels/_jit.py). Remove those that nothing has
# used for two days: file systems may note a reading a day late.
prune_kernels() {
    find_cache
    for folder in "${NUMBA_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/estoc}"/kernels-????????????; do
        [ -d "$folder" ] || continue
        used=$(find "$folder" \( -type f -atime -2 \) -o -mtime -2) || continue
        [ -n "$used" ] || rm -rf -- "$folder"
    done
}
