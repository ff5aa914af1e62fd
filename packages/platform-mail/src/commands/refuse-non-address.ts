import { UsageError } from '@signalbox/platform-runtime/command-line'

/** Throws a UsageError for an operand that is not a mail address. */
export async function refuseNonAddress(operand: string | undefined): Promise<void> {
  const { isAddress } = await import('@signalbox/mail-flow/contract')
  if (operand === undefined || isAddress(operand)) return
  // A shell removes the quotes of an address such as "ann lee"@office.example.
  const [, local = '', domain = ''] = /^([^@"'\\<:]+)@([^@]+)$/.exec(operand) ?? []
  const quoted = `"${local}"@${domain}`
  const hint =
    local === local.trim() && isAddress(quoted) ? ` Quote it twice if you mean this one: '${quoted}'.` : ''
  throw new UsageError(`${JSON.stringify(operand)} is not an address such as ann@office.example.${hint}`)
}
