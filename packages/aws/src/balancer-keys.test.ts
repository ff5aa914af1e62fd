import { expect, it } from '@jest/globals'
import { balancerKeys } from './index.ts'

const arn = (partition: string, region: string) =>
  `arn:${partition}:elasticloadbalancing:${region}:123456789012:loadbalancer/app/web/50dc6c495c0c9188`

it('balancerKeys() returns the URL at which a load balancer publishes its keys', () => {
  expect(balancerKeys(arn('aws', 'eu-central-1'))('a/b')).toBe(
    'https://public-keys.auth.elb.eu-central-1.amazonaws.com/a%2Fb',
  )
  expect(balancerKeys(arn('aws-us-gov', 'us-gov-west-1'))('k')).toBe(
    'https://s3-us-gov-west-1.amazonaws.com/aws-elb-public-keys-prod-us-gov-west-1/k',
  )
})

it.each([
  ['an empty string', ''],
  ['a name', 'web'],
  ['an ARN of a region in China', arn('aws-cn', 'cn-north-1')],
  ['an ARN with a host as its region', arn('aws', 'evil.example/')],
  ['an ARN that ends in a space', `${arn('aws', 'eu-central-1')} `],
])('balancerKeys() refuses %s', (_, text) => {
  expect(() => balancerKeys(text)).toThrow('is not the ARN of an Application Load Balancer')
})
