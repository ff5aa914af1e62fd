import { describe, expect, it } from '@jest/globals'
import * as http from '@signalbox/load-balancer/contract'
import * as mail from '@signalbox/mail-flow/contract'
import * as queue from '@signalbox/queue/contract'
import * as pool from '@signalbox/user-pool/contract'
import { shapeCodec } from '@signalbox/user-pool/contract/fields/shape-codec'
import { type ContractPage, contractRows } from './contract-rows.ts'

/** A field in a field table of the source code. */
interface Field {
  readonly required: boolean
  readonly extension?: boolean
  readonly codec?: { readonly name: string }
  readonly shape?: Parameters<typeof shapeCodec>[0]
}
type Fields = { readonly [name: string]: Field | undefined }

/** Returns a line for each field in a table of the code, including nested tables: `id | type | required | origin`. */
function rowsOf(table: string, fields: object): string[] {
  return Object.entries(fields as Fields).flatMap(([name, field]) => {
    if (field === undefined) return []
    const { shape, required, extension = false, codec = shapeCodec(shape!) } = field
    const id = `${table}.${name}`
    const inner = shape?.fields ?? shape?.items?.fields
    return [
      `${id} | ${codec.name} | ${required ? 'yes' : 'no'} | ${extension ? 'extension' : 'contract'}`,
      ...(inner === undefined ? [] : rowsOf(id, inner)),
    ]
  })
}

function fieldRows(page: ContractPage): string[] {
  return contractRows(page)
    .filter(({ cells }) => 'Field' in cells)
    .map(({ id, cells: { Type, Required, Origin } }) => `${id} | ${Type} | ${Required} | ${Origin}`)
    .sort()
}

const originOf = (row: object) => ('extension' in row && row.extension === true ? 'extension' : 'contract')

/**
 * Returns a line for each row whose anchor has this prefix, in tables with the columns `Value` and `Origin`: `name |
 * origin`.
 */
function valueRows(page: ContractPage, prefix: string): string[] {
  return contractRows(page)
    .filter(({ id, cells }) => 'Value' in cells && 'Origin' in cells && id.startsWith(`${prefix}.`))
    .map(({ id, cells: { Origin } }) => `${id.slice(prefix.length + 1)} | ${Origin}`)
}

function limitsOf(page: ContractPage): { readonly [name: string]: string } {
  return Object.fromEntries(
    contractRows(page)
      .filter(({ id }) => id.startsWith('limits.'))
      .map(({ id, cells: { Value } }) => [id.slice('limits.'.length), Value!]),
  )
}

const [second, minute] = [1000, 60_000]

describe('docs/contract/queue.md', () => {
  it('lists exactly the fields that the code declares', () => {
    expect(fieldRows('queue')).toEqual(
      [
        ...rowsOf('event', queue.eventFields),
        ...rowsOf('record', queue.recordFields),
        ...rowsOf('attributes', queue.systemAttributeFields),
        ...rowsOf('messageAttributes', queue.messageAttributeFields),
        'response.batchItemFailures | list of batch item failure | yes | contract',
        'failure.itemIdentifier | text that is not empty | yes | contract',
      ].sort(),
    )
  })

  it('states the same limits as the code', () => {
    expect(limitsOf('queue')).toEqual({
      batchSize: String(queue.defaultBatchSize),
      deduplicationInterval: `${queue.deduplicationInterval / minute} minutes`,
    })
  })
})

describe('docs/contract/mail-flow.md', () => {
  it('lists exactly the fields that the code declares', () => {
    expect(fieldRows('mail-flow')).toEqual(
      [
        ...rowsOf('event', mail.mailEventFields),
        ...rowsOf('envelope', mail.envelopeFields),
        ...rowsOf('client', mail.clientFields),
        ...rowsOf('authentication', mail.authenticationFields),
        ...rowsOf('result', mail.authenticationResultFields),
        ...rowsOf('response', mail.mailResponseFields),
        ...rowsOf('decision', mail.decisionFields),
      ].sort(),
    )
  })

  it('lists exactly the actions that the code declares', () => {
    expect(valueRows('mail-flow', 'action')).toEqual(
      Object.entries(mail.actionTypes).map(([name, row]) => `${name} | ${originOf(row)}`),
    )
  })

  it('states the same limits as the code', () => {
    expect(limitsOf('mail-flow')).toEqual({
      eventSize: `${mail.eventSizeLimit / 1024} KB`,
      subject: `${mail.subjectLimit} characters`,
      responseTime: `${mail.responseTimeLimit / second} seconds`,
      responseSize: `${mail.responseSizeLimit / 1024} KB`,
      uniqueActions: String(mail.uniqueActionsLimit),
      outboundRecipients: String(mail.outboundRecipientsLimit),
      ruleTimeOut: `${mail.ruleTimeOutMinimum} to ${mail.ruleTimeOutLimit} minutes`,
      firstRetry: `${mail.firstRetryDelay / minute} minute`,
    })
  })
})

describe('docs/contract/load-balancer.md', () => {
  it('lists exactly the fields that the code declares', () => {
    expect(fieldRows('load-balancer')).toEqual(
      [...rowsOf('event', http.eventFields), ...rowsOf('response', http.responseFields)].sort(),
    )
  })

  it('states the same limits as the code', () => {
    expect(limitsOf('load-balancer')).toEqual({
      requestBody: `${http.maxRequestBodyBytes / 1024 / 1024} MB`,
      response: `${http.maxResponseBytes / 1024 / 1024} MB`,
      webSockets: 'none',
      location: 'one account and Region',
    })
  })
})

describe('docs/contract/user-pool.md', () => {
  it('lists exactly the fields that the code declares', () => {
    const ofTriggers = Object.entries(pool.triggers).flatMap(([trigger, { request, response }]) => [
      ...rowsOf(`${trigger}.request`, request),
      ...rowsOf(`${trigger}.response`, response),
    ])
    expect(fieldRows('user-pool')).toEqual([...rowsOf('common', pool.commonFields), ...ofTriggers].sort())
  })

  it('lists exactly the trigger sources that the code declares', () => {
    const onPage = contractRows('user-pool')
      .filter(({ id }) => id.startsWith('source.'))
      .map(({ id, cells: { Origin } }) => `${id.slice('source.'.length)} | ${Origin}`)
    expect(onPage).toEqual(pool.sources.map(source => `${source} | ${originOf(pool.knownSource(source)!)}`))
  })

  it('lists exactly the values that the code declares', () => {
    const rows = (names: { readonly contract: readonly string[]; readonly extension: readonly string[] }) => [
      ...names.contract.map(name => `${name} | contract`),
      ...names.extension.map(name => `${name} | extension`),
    ]
    expect(valueRows('user-pool', 'challenge')).toEqual(rows(pool.challengeNames))
    expect(valueRows('user-pool', 'attribute')).toEqual(rows(pool.userAttributeNames))
    expect(valueRows('user-pool', 'status').map(row => row.split(' ')[0])).toEqual(pool.userStatuses)
  })

  it('names exactly the claims that functions cannot change', () => {
    const text = (id: string) => contractRows('user-pool').find(row => row.id === id)!.cells['What holds']!
    const named = (id: string) => [...text(id).matchAll(/`([\w:]+)`/g)].map(match => match[1]!)
    expect(named('verdict.reserved-claims')).toEqual(pool.reservedClaims)
    expect(named('verdict.group-claims')).toEqual([...pool.groupClaims, 'groupOverrideDetails'])
  })

  it('states the same limits as the code', () => {
    expect(limitsOf('user-pool')).toEqual({
      triggerTime: `${pool.triggerTimeout / second} seconds`,
      triggerAttempts: String(pool.triggerAttempts),
      emailMessage: `${pool.emailMessageLength} characters`,
      smsMessage: `${pool.smsMessageLength} characters`,
    })
  })
})
