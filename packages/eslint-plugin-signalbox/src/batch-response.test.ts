import { describe, expect, it } from '@jest/globals'
import { mistakes } from './testing/mistakes.ts'

describe('batches', () => {
  it('finds a handler that collects failures but returns nothing', () => {
    const code = (end: string) => `
      exports.handler = async event => {
        const failures = []
        for (const record of event.Records) {
          try { await work(record.body) } catch { failures.push({ itemIdentifier: record.messageId }) }
        }
        ${end}
      }`
    expect(mistakes(code(''))).toEqual(['batch-response 5 queue.md#verdict.empty-response'])
    expect(mistakes(code('return { batchItemFailures: failures }'))).toEqual([])
    expect(mistakes(code('if (failures.length > 0) throw new Error("again")'))).toEqual([])
    expect(mistakes(code('').replace('async event', 'async (event, context, callback)'))).toEqual([])
  })

  it('finds elements with another key, texts, and ids that no record has', () => {
    const code = (element: string) => `
      exports.handler = async ({ Records }) => ({
        batchItemFailures: Records.map(record => (${element})),
      })`
    expect(mistakes(code('{ itemIdentifer: record.messageId }'))).toEqual([
      'batch-response 3 queue.md#verdict.wrong-key',
    ])
    expect(mistakes(code('record.messageId'))).toEqual(['batch-response 3 queue.md#verdict.wrong-key'])
    expect(mistakes(code('{ itemIdentifier: record.receiptHandle }'))).toEqual([
      'batch-response 3 queue.md#verdict.unknown-identifier',
    ])
    expect(mistakes(code('{ itemIdentifier: "" }'))).toEqual([
      'batch-response 3 queue.md#verdict.empty-identifier',
    ])
    expect(mistakes(code('{ itemIdentifier: null }'))).toEqual([
      'batch-response 3 queue.md#verdict.null-identifier',
    ])
    expect(mistakes(code('{ ...failure(record) }'))).toEqual([])
    expect(mistakes(code('{ itemIdentifier: record.messageId }'))).toEqual([])
    expect(mistakes(code('{ itemIdentifier: record.kinesis.sequenceNumber }'))).toEqual([])
  })

  it('follows the variable that is returned, and no list that becomes another one', () => {
    const code = (answer: string) => `
      exports.handler = async event => {
        const batchItemFailures = []
        for (const record of event.Records) if (await fails(record)) batchItemFailures.push(record.messageId)
        return { batchItemFailures${answer} }
      }`
    expect(mistakes(code(''))).toEqual(['batch-response 4 queue.md#verdict.wrong-key'])
    expect(mistakes(code(': batchItemFailures.map(itemIdentifier => ({ itemIdentifier }))'))).toEqual([])
  })

  it('follows the object that is returned', () => {
    const code = (failure: string) => `
      const main = async event => {
        const response = { batchItemFailures: [] }
        for (const { id } of await results(event)) response.batchItemFailures.push(${failure})
        return response
      }`
    expect(mistakes(code('{ id }'))).toEqual(['batch-response 4 queue.md#verdict.wrong-key'])
    expect(mistakes(code('{ itemIdentifier: id }'))).toEqual([])
  })

  it('finds a misspelt list in a typed handler', () => {
    const code = `
      import type { SQSHandler } from 'aws-lambda'
      export const handler: SQSHandler = async event => ({ batchItemFailure: await failuresOf(event) })`
    expect(mistakes(code, 'ts')).toEqual(['batch-response 3 queue.md#verdict.empty-response'])
    expect(mistakes(code.replace("'aws-lambda'", "'./own'"), 'ts')).toEqual([])
  })

  it('finds forEach with an async function that waits before it adds a failure', () => {
    const code = (loop: string) => `
      export const handler = async event => {
        const batchItemFailures = []
        ${loop}(async record => {
          try { await work(record.body) } catch { batchItemFailures.push({ itemIdentifier: record.messageId }) }
        })${loop.includes('map') ? ')' : ''}
        return { batchItemFailures }
      }`
    expect(mistakes(code('event.Records.forEach'))).toEqual(['batch-response 4 queue.md#verdict.empty-list'])
    expect(mistakes(code('await Promise.all(event.Records.map'))).toEqual([])
  })

  it('finds forEach with an async function that an async handler does not wait for', () => {
    const code = (loop: string, handler = 'async event') => `
      exports.handler = ${handler} => {
        ${loop}
        await publish(event)
      }`
    const row = ['batch-response 3 queue.md#verdict.empty-response']
    const works = 'async ({ body }) => { await save(JSON.parse(body)) }'
    expect(mistakes(code(`event.Records.forEach(${works})`))).toEqual(row)
    expect(mistakes(code(`const saved = event.Records.forEach(${works}); await Promise.all(saved)`))).toEqual(
      row,
    )
    expect(mistakes(code(`const records = event.Records; records.forEach(${works})`))).toEqual(row)
    expect(mistakes(code(`await Promise.all(event.Records.map(${works}))`))).toEqual([])
    expect(mistakes(code(`event.Records.forEach(({ body }) => console.log(body))`))).toEqual([])
    expect(
      mistakes(code(`event.Records.forEach(async record => { await copy(record.s3.object.key) })`)),
    ).toEqual([])
    // The platform waits for a handler that is not async until nothing is left to do.
    expect(
      mistakes(code(`event.Records.forEach(${works})`, 'event').replace('await publish', 'publish')),
    ).toEqual([])
  })

  it('knows records by patterns and by other names', () => {
    const code = (loop: string, failure: string) => `
      exports.handler = async event => {
        const batchItemFailures = []
        ${loop} { try { await work(body) } catch { batchItemFailures.push(${failure}) } }
        return { batchItemFailures }
      }`
    const loops = [
      'for (const { body, messageId, receiptHandle: receipt } of event.Records)',
      'const { Records: all } = event; for (const { body, messageId, receiptHandle: receipt } of all)',
      'for (const record of event.Records) { const { body, messageId, receiptHandle: receipt } = record; await 1 }',
    ]
    for (const loop of loops) {
      expect(mistakes(code(loop, 'messageId'))).toEqual(['batch-response 4 queue.md#verdict.wrong-key'])
      expect(mistakes(code(loop, '{ itemIdentifier: receipt }'))).toEqual([
        'batch-response 4 queue.md#verdict.unknown-identifier',
      ])
      expect(mistakes(code(loop, '{ itemIdentifier: messageId }'))).toEqual([])
    }
  })

  it('finds a status of an error that is returned for a batch', () => {
    const code = (caught: string, answer = 'return { statusCode: 200 }') => `
      export const handler = async event => {
        try {
          for (const record of event.Records) await work(record.body)
          ${answer}
        } catch (error) { ${caught} }
      }`
    expect(mistakes(code('return { statusCode: 500, body: error.message }'))).toEqual([
      'batch-response 6 queue.md#verdict.empty-response',
    ])
    expect(mistakes(code('throw error'))).toEqual([])
    expect(mistakes(code('return { statusCode: 200 }'))).toEqual([])
    expect(mistakes(code('return { statusCode: 500, batchItemFailures: failures }'))).toEqual([])
    const typed = `import { SQSEvent } from 'aws-lambda/trigger/sqs'
      ${code('return { statusCode: 502 }').replace('handler', 'sendMail').replace('event =>', '(event: SQSEvent) =>')}`
    expect(mistakes(typed, 'ts')).toEqual(['batch-response 7 queue.md#verdict.empty-response'])
    expect(mistakes(`${typed}; export const handler = middy(sendMail)`, 'ts')).toEqual([])
    expect(mistakes(code('throw error', 'if (!event.Records) return { statusCode: 400 }'))).toEqual([])
  })

  it('knows entries by what the module exports', () => {
    const loses = (name: string, exported: string) => `
      const ${name} = async event => {
        const failures = []
        for (const record of event.Records) if (bad(record.body)) failures.push({ itemIdentifier: record.messageId })
      }
      ${exported}`
    const row = ['batch-response 4 queue.md#verdict.empty-response']
    expect(mistakes(loses('handler', 'module.exports = { handler }'))).toEqual(row)
    expect(mistakes(loses('consume', 'module.exports = { handler: consume }'))).toEqual(row)
    expect(mistakes(loses('consume', 'export { consume as handler }'))).toEqual(row)
    expect(mistakes(loses('consume', 'export const handler = consume'))).toEqual(row)
    expect(mistakes(loses('consume', 'export default consume'))).toEqual(row)
    expect(mistakes(loses('handler', 'module.exports = { consume: handler }'))).toEqual([])
    expect(mistakes(loses('handler', 'export const other = { handler }'))).toEqual([])
    const named = loses('consume', '').replace(
      'const consume = async event =>',
      'export default async function consume(event)',
    )
    expect(mistakes(named)).toEqual(row)
  })

  it('reads the types of a comment above the handler', () => {
    const code = (comment: string, above = '') => `
      /** ${comment} */${above}
      exports.handler = async event => ({ batchItemFailure: await failuresOf(event) })`
    const row = ['batch-response 3 queue.md#verdict.empty-response']
    expect(mistakes(code("@type {import('@types/aws-lambda').SQSHandler}"))).toEqual(row)
    expect(mistakes(code('@param {import("aws-lambda").SQSEvent} event'))).toEqual(row)
    expect(mistakes(code("@type {import('./own').SQSHandler}"))).toEqual([])
    expect(mistakes(code("@type {import('aws-lambda').SQSHandler}", '\n'))).toEqual([])
  })

  it('says nothing about records of other services', () => {
    const code = `
      exports.handler = async event => {
        const failures = []
        for (const record of event.Records) {
          const body = record.body ?? record.Sns.Message
          if (!work(body)) failures.push({ itemIdentifier: record.messageId })
        }
      }`
    expect(mistakes(code)).toEqual([])
  })

  it('says nothing when the list of failures is given to a call, or the handler fails otherwise', () => {
    const code = (end: string) => `
      exports.handler = async event => {
        const failures = []
        for (const record of event.Records) {
          try { await work(record.body) } catch { failures.push({ itemIdentifier: record.messageId }) }
        }
        ${end}
      }`
    expect(mistakes(code('await sendAgain(failures)'))).toEqual([])
    expect(mistakes(code('finish({ failures })'))).toEqual([])
    expect(mistakes(code('assert.equal(failures.length, 0)'))).toEqual([])
    expect(mistakes(code('if (failures.length > 0) await Promise.reject(new Error("again"))'))).toEqual([])
    expect(mistakes(code('console.log(failures.length)'))).toHaveLength(1)
  })

  it('says nothing about a list that gets another value, or whose name is in a pattern', () => {
    const code = (change: string) => `
      exports.handler = async event => {
        let failed = event.Records.map(record => record.messageId)
        ${change}
        return { batchItemFailures: failed }
      }`
    expect(mistakes(code('audit(failed)'))).toEqual(['batch-response 3 queue.md#verdict.wrong-key'])
    expect(mistakes(code('failed = failed.map(itemIdentifier => ({ itemIdentifier }))'))).toEqual([])
    expect(mistakes(code(';[failed] = [failed.map(itemIdentifier => ({ itemIdentifier }))]'))).toEqual([])
    expect(mistakes(code('await each(({ failed }) => failed.push("a"))'))).toEqual([])
    expect(mistakes(code('for (const [failed = []] of lists) failed.push("a")'))).toEqual([])
    const object = `
      exports.handler = async event => {
        let response = { batchItemFailures: [event.Records[0].messageId, { id: 1 }] }
        response = await completed(response)
        return response
      }`
    expect(mistakes(object)).toEqual([])
  })

  it('knows entries by their exact names and parameters, and unless they are passed to a call', () => {
    const loses = (name: string, parameters: string, more = '') => `
      export const ${name} = async (${parameters}) => {
        const failures = []
        for (const record of event.Records) if (bad(record.body)) failures.push({ itemIdentifier: record.messageId })
      }
      ${more}`
    const row = ['batch-response 4 queue.md#verdict.empty-response']
    for (const name of ['handler', 'lambdaHandler', 'main'])
      expect(mistakes(loses(name, 'event'))).toEqual(row)
    expect(mistakes(loses('handler', 'event, context'))).toEqual(row)
    expect(mistakes(loses('handler', 'event, _ctx'))).toEqual(row)
    expect(mistakes(loses('errorHandler', 'event'))).toEqual([])
    expect(mistakes(loses('lambdaClient', 'event'))).toEqual([])
    expect(mistakes(loses('handler', 'event, database'))).toEqual([])
    expect(mistakes(loses('handler', 'event, { database }'))).toEqual([])
    expect(mistakes(loses('lambdaHandler', 'event', 'export const handler = middy(lambdaHandler)'))).toEqual(
      [],
    )
  })
})
