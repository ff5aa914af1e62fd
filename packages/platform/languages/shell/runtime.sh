#!/usr/bin/env bash
# Runs a function in bash under the runtime interface of AWS Lambda:
#
#     _HANDLER=shop.handler bash runtime.sh
#
# calls the function handler of shop.sh. It gets the event on its standard input, and writes its answer to its standard
# output. Standard error is its log. A command that fails, fails the event, as with `set -e`: the output is then the
# message of the error. Each event runs in a subshell, so variables do not stay. It needs curl, which opens a connection for
# each request. With AWS_LAMBDA_MAX_CONCURRENCY, so many subshells work on one event each.

runtime=http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime
request=(curl --silent --show-error --noproxy '*')

# Prints an error with the message $2 and the type $1 as JSON.
described() {
  local message=${2//\\/\\\\}
  message=${message//\"/\\\"}
  printf '{"errorType":"%s","errorMessage":"%s","stackTrace":[]}' "$1" "${message//[[:cntrl:]]/ }"
}

# Reads the headers of an event, answers it, and returns whether there was one.
answer_event() {
  local line kind=response answer code echoed=()
  while IFS= read -r line && line=${line%$'\r'} && [[ -n $line ]]; do
    case $line in
      Lambda-Runtime-Aws-Request-Id:*) export AWS_REQUEST_ID=${line#*: } ;;
      Lambda-Runtime-Deadline-Ms:*) export DEADLINE_MS=${line#*: } ;;
      Lambda-Runtime-Aws-Tenant-Id:*) export TENANT_ID=${line#*: } ;;
      Lambda-Runtime-Invocation-Id:*) echoed=(--header "$line") ;;
    esac
  done
  [[ -n ${AWS_REQUEST_ID:-} ]] || return
  answer=$(
    set -eE
    trap 'echo "$BASH_SOURCE:$LINENO: exit code $? of: $BASH_COMMAND" >&2' ERR
    "$handler"
  )
  code=$?
  # What the function has not read would be an error of curl.
  cat >/dev/null
  if ((code != 0)); then
    kind=error answer=$(described ExitCode "${answer:-$_HANDLER ended with exit code $code}")
  fi
  printf '%s' "$answer" | "${request[@]}" "${echoed[@]}" --output /dev/null --data-binary @- \
    --header 'Content-Type: application/json' "$runtime/invocation/$AWS_REQUEST_ID/$kind"
}

work() {
  while true; do
    "${request[@]}" --include "$runtime/invocation/next" | answer_event
    (($? == 0)) || exit 1
  done
}

handler=${_HANDLER##*.}
source "$LAMBDA_TASK_ROOT/${_HANDLER%.*}.sh"
if [[ $(type -t "$handler") != function ]]; then
  described ImportError "$_HANDLER is not a function" | "${request[@]}" --data-binary @- "$runtime/init/error" >&2
  exit 1
fi
for ((i = 1; i < ${AWS_LAMBDA_MAX_CONCURRENCY:-1}; i++)); do work & done
work
