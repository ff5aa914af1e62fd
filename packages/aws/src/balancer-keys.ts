/**
 * Returns a function that turns the id of a key into its URL, for the option `keys` of `balancerIdentity` of
 * `@signalbox/load-balancer`. An Application Load Balancer signs identities with these keys, and publishes them in the
 * region of its ARN.
 *
 * @example
 * balancerIdentity({ signer: arn, keys: balancerKeys(arn) })
 *
 * @throws TypeError for a string that is not the ARN of a load balancer in an AWS or AWS GovCloud (US) region
 */
export function balancerKeys(arn: string): (keyId: string) => string {
  const [, partition, region] =
    /^arn:(aws|aws-us-gov):elasticloadbalancing:([a-z\d-]+):\d{12}:loadbalancer\/app\/[\w/-]+$/.exec(arn) ??
    []
  if (partition === undefined) {
    throw new TypeError(
      `balancerKeys(): ${JSON.stringify(arn)} is not the ARN of an Application Load Balancer, such as arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188`,
    )
  }
  const folder =
    partition === 'aws'
      ? `https://public-keys.auth.elb.${region}.amazonaws.com`
      : `https://s3-${region}.amazonaws.com/aws-elb-public-keys-prod-${region}`
  return keyId => `${folder}/${encodeURIComponent(keyId)}`
}
