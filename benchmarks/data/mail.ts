/** The fields of a mail-flow event that its hand-written contender reads. */
export interface WireMail {
  readonly envelope: {
    readonly mailFrom: { readonly address: string }
    readonly recipients: readonly { readonly address: string }[]
  }
  readonly flowDirection: string
  readonly truncated: boolean
}

/** Returns the event of an outbound mail to the given number of recipients. */
export function outboundMail(recipients: number): WireMail {
  const event = {
    summaryVersion: '2019-07-28',
    envelope: {
      mailFrom: { address: 'from@example.com' },
      recipients: Array.from({ length: recipients }, (_, number) => ({
        address: `recipient-${number}@department-${number % 10}.example.com`,
      })),
    },
    sender: { address: 'sender@example.com' },
    subject: 'Hello from the organization',
    messageId: '00000000-0000-0000-0000-000000000000',
    invocationId: '00000000000000000000000000000000',
    flowDirection: 'OUTBOUND',
    truncated: false,
  }
  return JSON.parse(JSON.stringify(event)) as WireMail
}
