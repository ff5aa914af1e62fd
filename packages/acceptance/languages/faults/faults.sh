# A function that does what its events say, and what a function must not do.
api=http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime

call() {
  curl --silent --noproxy '*' --output /dev/null --write-out '%{http_code}' "$@"
}

handler() {
  local event own=$api/invocation/$AWS_REQUEST_ID/response
  event=$(cat)
  # $$ is the first process of the instance.
  [[ $event =~ \"do\":\"([a-z]+)\" ]]
  case ${BASH_REMATCH[1]} in
    throw)
      [[ $event =~ \"why\":\"(.*)\" ]]
      echo "${BASH_REMATCH[1]//\\/}"
      return 1
      ;;
    exit) kill -9 $$ ;;
    never) sleep 1000 ;;
    late) [[ $event =~ \"seconds\":([0-9.]+) ]] && sleep "${BASH_REMATCH[1]}" && echo "$event" ;;
    twice) call --data '"first"' "$own" >&2; echo '"second"' ;;
    other) call --data '"wrong"' "$api/invocation/another-request/response" ;;
    garbage) printf '"\xff\xfe"' | call --data-binary @- "$own" ;;
    long) printf '"%07000000d"' 0 ;;
    children)
      sleep 1000 >/dev/null 2>&1 &
      local child=$!
      # It leaves the session of its parent.
      setsid sleep 1000 >/dev/null 2>&1 &
      echo "[$child,$!]"
      ;;
    connections)
      local polls=()
      for _ in {1..100}; do polls+=(--output /dev/null "$api/invocation/next"); done
      echo "[$(curl --silent --noproxy '*' --parallel --parallel-immediate --parallel-max 100 \
        --write-out '%{http_code},' "${polls[@]}" | sed 's/,$//')]"
      ;;
    *) echo "$event" ;;
  esac
}

[[ -z ${EXIT_AT_START:-} ]] || exit 7
