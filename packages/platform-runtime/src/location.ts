/** The region and account of a platform. Resource names, URLs and events contain them. */
export interface Location {
  readonly region: string
  /** The account id, which has twelve digits. */
  readonly account: string
}

export const defaultLocation: Location = { region: 'local', account: '000000000000' }

/** Returns the ARN of a function, without a version. */
export function functionArn(name: string, { region, account }: Location): string {
  return `arn:aws:lambda:${region}:${account}:function:${name}`
}
