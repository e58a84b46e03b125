# SPDX-License-Identifier: MIT
# fish completion for tierctl(1). All candidates come from tierctl itself; fish takes "candidate TAB help" as it is.

function __tierctl_verb
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
    return 1
end

function __tierctl_candidates
    set -l verb (__tierctl_verb)
    set -l current (commandline -ct)
    if string match -qr -- '^--(json|bus)=' $current
        set -l flag (string replace -r -- '=.*' '' $current)
        tierctl __complete values (string sub -s 3 -- $flag) 2>/dev/null | string replace -r -- '^' "$flag="
    else if string match -q -- '-*' $current
        tierctl __complete flags $verb 2>/dev/null
    else if test -z "$verb"
        tierctl __complete verbs 2>/dev/null
    else
        tierctl __complete names $verb 2>/dev/null
    end
end

complete -c tierctl -n 'not contains check (commandline -opc)' -f
complete -c tierctl -n 'not contains check (commandline -opc)' -a '(__tierctl_candidates)'
