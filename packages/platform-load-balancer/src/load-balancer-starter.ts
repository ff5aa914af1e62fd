import type { Starter } from '@signalbox/platform-runtime'

/** The starter project for load balancers: a function that answers HTTP requests. */
export const loadBalancerStarter: Starter = {
  family: 'load-balancer',
  isDefault: true,
  calledBy: 'requests from an Application Load Balancer',
  functionName: 'shop',
  packages: ['@signalbox/load-balancer'],
  config: `  loadBalancers: {
    web: { port: 3000, function: 'shop', multiValueHeaders: true },
  },
`,
  code: {
    node: `import { aws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'

export const handler = aws(
  signalbox(loadBalancer([get('/hello/{name}', ({ params }) => json({ hello: params.name }))])),
)
`,
    python: `import json
import re


def handler(event, context):
    """Answers GET /hello/NAME."""
    hello = re.fullmatch('/hello/([^/]+)', event['path'])
    if event['httpMethod'] != 'GET' or hello is None:
        return answer(404, {'message': 'Not found'})
    return answer(200, {'hello': hello.group(1)})


def answer(status, body):
    return {
        'statusCode': status,
        'multiValueHeaders': {'content-type': ['application/json']},
        'body': json.dumps(body),
    }
`,
    go: `package main

import (
	"context"
	"encoding/json"
	"strings"

	"functions/signalbox"
)

type Request struct {
	HTTPMethod string \`json:"httpMethod"\`
	Path       string \`json:"path"\`
}

type Answer struct {
	StatusCode        int                 \`json:"statusCode"\`
	MultiValueHeaders map[string][]string \`json:"multiValueHeaders"\`
	Body              string              \`json:"body"\`
}

// handle answers GET /hello/NAME.
func handle(_ context.Context, request Request) (Answer, error) {
	name := strings.TrimPrefix(request.Path, "/hello/")
	if request.HTTPMethod != "GET" || name == request.Path {
		return answer(404, map[string]string{"message": "Not found"})
	}
	return answer(200, map[string]string{"hello": name})
}

func answer(status int, value any) (Answer, error) {
	body, err := json.Marshal(value)
	return Answer{status, map[string][]string{"content-type": {"application/json"}}, string(body)}, err
}

func main() { signalbox.Serve(handle) }
`,
    shell: `# Answers GET /hello/NAME.
handler() {
  jq 'def answer(status; body):
        { statusCode: status, multiValueHeaders: { "content-type": ["application/json"] }, body: (body | tojson) };
      if .httpMethod == "GET" and (.path | startswith("/hello/"))
      then answer(200; { hello: .path[7:] })
      else answer(404; { message: "Not found" })
      end'
}
`,
  },
  test: ({ imports, equal }) => `${imports}
import { createPlatform } from '@signalbox/platform'
import { handler } from './shop.ts'

test('says hello', async () => {
  // A load balancer with a real socket, at any port that is free.
  const platform = createPlatform({
    functions: { shop: { handler, dialect: 'aws' } },
    loadBalancers: { web: { port: 0, function: 'shop', multiValueHeaders: true } },
    dataDir: ':memory:',
  })
  try {
    const [web] = await platform.start()
    const response = await fetch(\`\${web?.url}/hello/Ada\`)
    ${equal('await response.json()', "{ hello: 'Ada' }")}
  } finally {
    await platform.stop()
  }
})
`,
  tries: 'curl http://127.0.0.1:3000/hello/Ada',
  timeout: 10,
  parameters: `  ListenerArn:
    Type: String
    Description: The listener of your load balancer, in the same region and account
`,
  resources: `  ShopTargets:
    Type: AWS::ElasticLoadBalancingV2::TargetGroup
    DependsOn: LoadBalancersMayCall
    Properties:
      TargetType: lambda
      Targets:
        - Id: !GetAtt Shop.Arn
      TargetGroupAttributes:
        - Key: lambda.multi_value_headers.enabled
          Value: "true"
  ShopRule:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref ListenerArn
      Priority: 100
      Conditions:
        - Field: path-pattern
          PathPatternConfig:
            Values: [/hello/*]
      Actions:
        - Type: forward
          TargetGroupArn: !Ref ShopTargets
  LoadBalancersMayCall:
    Type: AWS::Lambda::Permission
    Properties:
      Action: lambda:InvokeFunction
      FunctionName: !Ref Shop
      Principal: elasticloadbalancing.amazonaws.com
`,
  deploy: 'The parameter `ListenerArn` is the listener of a load balancer that you have.',
}
