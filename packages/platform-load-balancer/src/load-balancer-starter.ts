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
  code: `import { aws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'

export const handler = aws(
  signalbox(loadBalancer([get('/hello/{name}', ({ params }) => json({ hello: params.name }))])),
)
`,
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
