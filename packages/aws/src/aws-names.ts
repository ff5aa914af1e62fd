/** The keys that AWS names differently. */
interface AwsKeys {
  cloudRegion: 'awsRegion'
  CloudTraceHeader: 'AWSTraceHeader'
  cloudSdkVersion: 'awsSdkVersion'
  cloudSdk: 'awsSdk'
}

type AwsKey<K> = K extends keyof AwsKeys ? AwsKeys[K] : K

/** An event of the contract in the form that AWS sends. */
export type AwsEvent<T> = T extends 'cloud:queue'
  ? 'aws:sqs'
  : T extends readonly (infer Item)[]
    ? AwsEvent<Item>[]
    : T extends object
      ? { -readonly [K in keyof T as AwsKey<K>]: AwsEvent<Exclude<T[K], null | undefined>> }
      : T
