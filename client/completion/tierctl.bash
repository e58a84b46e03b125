# SPDX-License-Identifier: MIT
# bash completion for tierctl(1). All candidates come from tierctl itself: they are those of the installed version, and of the daemon as it is now.

_tierctl() {
    local line=${COMP_LINE:0:COMP_POINT} current='' verb='' expected=''
    local -a words=() connection=() question=()
    read -ra words <<<"$line"
    if [[ $line != *[[:space:]] ]]; then
        current=${words[-1]}
        unset 'words[-1]'
    fi

    local word
    for word in "${words[@]:1}"; do
        if [[ -n $expected ]]; then
            [[ $expected == --bus || $expected == --host || $expected == -H ]] && connection+=("$expected" "$word")
            expected=''
            continue
        fi
        case $word in
            --) COMPREPLY=() && return ;; # somebody else's command
            --bus=* | --host=*) connection+=("$word") ;;
            --bus | --host | -H | --json | -P | --property | --why) expected=$word ;;
            -*) ;;
            *) verb=${verb:-$word} ;;
        esac
    done

    if [[ $current == --*=* ]]; then
        expected=${current%%=*}
        current=${current#*=}
    fi
    case $expected in
        --json | --bus) question=(values "${expected#--}") ;;
        -H | --host) mapfile -t COMPREPLY < <(compgen -A hostname -- "$current") && return ;;
        -*) COMPREPLY=() && return ;;
        *)
            if [[ $current == -* ]]; then
                question=(flags "$verb")
            elif [[ -z $verb ]]; then
                question=(verbs)
            elif [[ $verb == check ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$current") && return
            else
                question=(names "$verb")
            fi
            ;;
    esac
    local candidates
    candidates=$(tierctl "${connection[@]}" __complete "${question[@]}" 2>/dev/null | cut -f 1)
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
    # No space behind a flag that wants a value.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}

complete -F _tierctl tierctl
