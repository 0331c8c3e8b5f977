# Started by watch.rs. Each line sets variables: the run of a slot and the group that it leads, or none, and the count of
# slots. At the end of its input it kills the runs it knows. A shell reads byte by byte, so lines are short.
trap '' HUP INT TERM QUIT PIPE
n=0
while read -r line; do eval "$line"; done
marks=
at=0
while [ "$at" -lt "$n" ]; do
    eval "run=\${r$at-} group=\${g$at-}"
    if [ -n "$run" ]; then marks="$marks -e $run"; fi
    if [ -n "$group" ]; then kill -s KILL -- "-$group"; fi
    at=$((at + 1))
done
if [ -z "$marks" ] || ! [ -r /proc/self/environ ]; then exit; fi
# Until five looks in a row find nothing; there is an end to it, should one not die.
round=0 quiet=0
while [ $quiet -lt 5 ] && [ $round -lt 300 ]; do
    round=$((round + 1)) quiet=$((quiet + 1))
    for file in $(grep -lF $marks /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -s KILL "${pid%/environ}" && quiet=0
    done
    sleep 0.1
done
