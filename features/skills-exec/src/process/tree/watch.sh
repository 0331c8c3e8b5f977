# Started by watch.rs. Each line sets variables: the run of a slot and the group that it leads, or none, the count of slots,
# and the processes that the host has adopted. At the end of its input it kills the runs it knows, and what descends from
# them. A shell reads byte by byte, so lines are short.
trap '' HUP INT TERM QUIT PIPE
n=0 a=
while read -r line; do eval "$line"; done
marks= groups=
at=0
while [ "$at" -lt "$n" ]; do
    eval "run=\${r$at-} group=\${g$at-}"
    if [ -n "$run" ]; then marks="$marks -e $run"; fi
    if [ -n "$group" ]; then groups="$groups $group"; fi
    at=$((at + 1))
done
signal_groups() { for group in $groups; do kill -s "$1" -- "-$group"; done; }
if ! [ -r /proc/self/environ ]; then
    signal_groups KILL
    exit
fi
if [ -z "$marks$a" ]; then exit; fi

add() { case " $$ $known " in *" $1 "*) ;; *) known="$known $1" ;; esac; }

# Adds to `known` who is in a group, who carries a run's id, and who has a parent that is known.
look() {
    if [ -n "$marks" ]; then
        for file in $(grep -lF $marks /proc/[0-9]*/environ); do
            file=${file#/proc/}
            add "${file%/environ}"
        done
    fi
    # Of `stat` these can be read with less, but there a name may pretend to be all of them.
    table=$(grep -hE '^(State|Pid|PPid|NSpgid):' /proc/[0-9]*/status)
    count=
    while [ "$known" != "$count" ]; do
        count=$known key=
        for word in $table; do
            case $key in
            State:) state=$word ;;
            Pid:) pid=$word ;;
            PPid:) parent=$word ;;
            NSpgid:)
                case $state in
                Z | X) ;;
                *)
                    case " $groups " in *" $word "*) add "$pid" ;; esac
                    case " $known " in *" $parent "*) add "$pid" ;; esac
                    ;;
                esac
                ;;
            esac
            key=$word
        done
    done
}

# Who is stopped while the host still ends is sent SIGHUP when it has: the group is an orphan then. It would die before those
# are known that it is the parent of. The host has ended when this shell has another parent.
waited=0
while [ $waited -lt 100 ] && grep -q "^PPid:[[:space:]]*$PPID\$" /proc/$$/status; do
    waited=$((waited + 1))
    sleep 0.01
done

# All are stopped before any is killed: what is stopped starts nothing, and is still there to be known as a parent.
# Until five looks in a row find nothing; there is an end to it, should one not die.
signal_groups STOP
round=0 quiet=0
while [ $quiet -lt 5 ] && [ $round -lt 300 ]; do
    round=$((round + 1)) quiet=$((quiet + 1))
    known=$a a= before=none
    while [ "$known" != "$before" ]; do
        before=$known
        look
        for pid in $known; do kill -s STOP "$pid"; done
    done
    if [ $round = 1 ]; then signal_groups KILL; fi
    for pid in $known; do kill -s KILL "$pid" && quiet=0; done
    sleep 0.1
done
