# Answers GET /hello/NAME behind an Application Load Balancer, in bash alone.
handler() {
  local event status=404 body='{"message":"Not found"}'
  event=$(cat)
  if [[ $event =~ \"httpMethod\":\"GET\",\"path\":\"/hello/([A-Za-z0-9%._~-]+)\" ]]; then
    status=200 body="{\"hello\":\"${BASH_REMATCH[1]}\"}"
    echo "said hello to ${BASH_REMATCH[1]}" >&2
  fi
  printf '{"statusCode":%s,"headers":{"content-type":"application/json"},"body":"%s"}' "$status" "${body//\"/\\\"}"
}
