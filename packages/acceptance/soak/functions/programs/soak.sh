# Does with a message what its text says, such as `exit 17`, when the message comes for the first time.
handler() {
  local event fault body id failed='{"batchItemFailures":[{"itemIdentifier":"%s"}]}' is_first=
  event=$(cat)
  [[ $event =~ \"messageId\":\"([^\"]+)\" ]] && id=${BASH_REMATCH[1]}
  [[ $event =~ \"body\":\"(([a-z]+)\ [0-9]+)\" ]] && body=${BASH_REMATCH[1]} fault=${BASH_REMATCH[2]}
  [[ $event =~ \"ApproximateReceiveCount\":\"1\" ]] && is_first=1
  case $is_first$fault in
    1never | never | 1fail) printf "$failed" "$id" && return ;;
    1throw) echo "$body" && return 1 ;;
    # $$ is the first process of the instance.
    1exit) kill -9 $$ ;;
    1late) sleep "$LATE" ;;
    1children)
      sleep "$CHILD" >/dev/null 2>&1 &
      setsid sleep "$CHILD" >/dev/null 2>&1 &
      ;;
  esac
  echo "$body" >>"$HANDLED"
  printf '{"batchItemFailures":[]}'
}
