# Started by watch.rs. Reads "+ RUN", "+ RUN GROUP" and "- RUN"; at the end of its input it kills the runs it knows.
trap '' HUP INT TERM QUIT PIPE
runs=' '
drop() {
    while :; do
        case $runs in
        *" $1:"*)
            rest=${runs#*" $1:"}
            runs="${runs%%" $1:"*} ${rest#* }"
            ;;
        *) return ;;
        esac
    done
}
while read -r verb run group; do
    drop "$run"
    if [ "$verb" = + ]; then runs="$runs$run:$group "; fi
done
marks=
for item in $runs; do
    marks="$marks -e ${item%%:*}"
    group=${item#*:}
    if [ -n "$group" ]; then kill -s KILL -- "-$group"; fi
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
