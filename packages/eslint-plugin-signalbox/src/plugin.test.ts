import { describe, expect, it } from '@jest/globals'
import { Linter } from 'eslint'
import { signalbox } from './index.ts'
import { typescript } from './testing/typescript.ts'

const address = 'https://github.com/signalbox/signalbox/blob/main/docs/contract/'

/** Returns the rule, the line and the row of the contract for each mistake in a module. */
function mistakes(code: string, language: 'js' | 'ts' = 'js'): string[] {
  const options = language === 'ts' ? { languageOptions: { parser: typescript } } : {}
  const messages = new Linter().verify(
    code,
    [{ files: ['**/*.js', '**/*.ts'], ...options }, signalbox.configs.recommended],
    {
      filename: `handler.${language}`,
    },
  )
  return messages.map(({ ruleId, message, line }) => {
    const [, row] = message.split(` ${address}`)
    return `${ruleId?.replace('signalbox/', '')} ${line} ${row ?? message}`
  })
}

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

describe('answers to a load balancer', () => {
  const typed = (answer: string, before = '') => `
    import type { ALBEvent, ALBResult } from 'aws-lambda'
    export const handler = async (event: ALBEvent): Promise<ALBResult> => {
      ${before}
      return ${answer}
    }`

  it.each([
    [`{ statusCode: '200', body: 'a' }`, 'response.statusCode'],
    [`{ body: 'a' }`, 'response.statusCode'],
    [`{ statusCode: 200, body: { a: 1 } }`, 'response.body'],
    [`{ statusCode: 200, headers: { 'content-length': 1 } }`, 'response.headers'],
    [`{ statusCode: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'] } }`, 'response.headers'],
    [
      `{ statusCode: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'].join(', ') } }`,
      'response.multiValueHeaders',
    ],
    [`{ statusCode: 200, multiValueHeaders: { 'set-cookie': 'a=1' } }`, 'response.multiValueHeaders'],
    [`{ statusCode: 200, cookies: ['a=1'] }`, 'verdict.cookies'],
    [
      `{ statusCode: 200, headers: { a: 'b' }, multiValueHeaders: { 'Set-Cookie': ['a=1'] } }`,
      'verdict.both-header-maps',
    ],
  ])('finds %s', (answer, row) => {
    expect(mistakes(typed(answer), 'ts')).toEqual([`load-balancer-response 5 load-balancer.md#${row}`])
  })

  it('finds two mistakes of one answer', () => {
    const answer = `{ headers: { a: 'b' }, multiValueHeaders: { 'set-cookie': ['a=1'] } }`
    expect(mistakes(typed(answer), 'ts')).toEqual(
      ['response.statusCode', 'verdict.both-header-maps'].map(
        row => `load-balancer-response 5 load-balancer.md#${row}`,
      ),
    )
  })

  it('finds headers in the map that the mode ignores', () => {
    const read = 'const host = event.multiValueHeaders.host'
    const answer = `{ statusCode: 200, headers: { 'set-cookie': 'a=1' } }`
    const row = 'load-balancer-response 5 load-balancer.md#verdict.other-header-map'
    expect(mistakes(typed(answer, read), 'ts')).toEqual([row])
    expect(mistakes(typed(answer, `${read} ?? event.headers.host`), 'ts')).toEqual([])
    expect(mistakes(typed(answer), 'ts')).toEqual([])
    const both = `if (a) return { statusCode: 200, multiValueHeaders: { 'set-cookie': ['a=1'] } }`
    expect(mistakes(typed(answer, `${read}; ${both}`), 'ts')).toEqual([])
  })

  it.each([
    `{ statusCode: 200, body: JSON.stringify(event) }`,
    `{ statusCode, headers, body }`,
    `{ ...base, body: text }`,
    `{ statusCode: 204, body: null }`,
    `{ statusCode: 200, headers: { 'set-cookie': ['session=' + id, 'HttpOnly', 'Path=/'].join('; ') } }`,
    `{ statusCode: 302, headers: { location: url, 'set-cookie': \`a=\${id}\` }, body: '' }`,
  ])('says nothing about %s', answer => {
    expect(mistakes(typed(answer), 'ts')).toEqual([])
  })

  it('says nothing about handlers of an API gateway, or of both', () => {
    const answer = `{ statusCode: '200', cookies: ['a=1'] }`
    expect(mistakes(`exports.handler = async event => (${answer})`)).toEqual([])
    const both = `exports.handler = async event => { if (event.requestContext.elb) log(event); return ${answer} }`
    expect(mistakes(both)).toEqual([])
  })
})

describe('triggers of user pools', () => {
  const typed = (trigger: string, body: string) => `
    import { ${trigger} } from 'aws-lambda'
    export const handler: ${trigger} = async event => { ${body} }`

  it('finds a field of another trigger, and a misspelt one', () => {
    const sets = (field: string) => `event.response.${field} = true; return event`
    const row = (name: string) => [`trigger-response 3 user-pool.md#${name}`]
    expect(mistakes(typed('PreSignUpTriggerHandler', sets('answerCorrect')), 'ts')).toEqual(
      row('VerifyAuthChallengeResponse.response.answerCorrect'),
    )
    expect(mistakes(typed('PreSignUpTriggerHandler', sets('autoConfirmUsers')), 'ts')).toEqual(
      row('PreSignUp.response.autoConfirmUser'),
    )
    expect(mistakes(typed('PostConfirmationTriggerHandler', sets('autoConfirmUser')), 'ts')).toEqual(
      row('verdict.no-response-expected'),
    )
    expect(mistakes(typed('PreSignUpTriggerHandler', sets('autoConfirmUser')), 'ts')).toEqual([])
    const tokens = 'event.response = { claimsAndScopeOverrideDetails: {} }; return event'
    expect(mistakes(typed('PreTokenGenerationV2TriggerHandler', tokens), 'ts')).toEqual([])
  })

  it('knows the trigger from conditions about its source', () => {
    const code = (field: string) => `
      exports.handler = async event => {
        switch (event.triggerSource) {
          case 'PreSignUp_SignUp':
          case 'PreSignUp_AdminCreateUser':
            event.response.${field} = true
            break
          default:
            event.response.anything = true
        }
        if (event.triggerSource === 'CustomMessage_SignUp') event.response.smsMessage = 'a'
        event.response.issueTokens = true
        return event
      }`
    expect(mistakes(code('autoConfirmUser'))).toEqual([])
    expect(mistakes(code('issueTokens'))).toEqual([
      'trigger-response 6 user-pool.md#DefineAuthChallenge.response.issueTokens',
    ])
  })

  it('finds handlers that do not return the event', () => {
    const row = ['trigger-returns-event 3 user-pool.md#verdict.same-event']
    const trigger = 'PreSignUpTriggerHandler'
    expect(mistakes(typed(trigger, 'event.response.autoConfirmUser = true'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'return event.response'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'return { statusCode: 200 }'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'if (isKnown(event)) return; return event'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'throw new Error("no")'), 'ts')).toEqual([])
    expect(
      mistakes(typed(trigger, 'return { ...event, response: { autoConfirmUser: true } }'), 'ts'),
    ).toEqual([])
    expect(mistakes(typed('PostConfirmationTriggerHandler', 'await save(event)'), 'ts')).toEqual([])
    expect(mistakes(typed('CustomEmailSenderTriggerHandler', 'await send(event)'), 'ts')).toEqual([])
    const callback =
      'exports.handler = (event, context, done) => { if (event.triggerSource === "PreSignUp_SignUp") done(null, event) }'
    expect(mistakes(callback)).toEqual([])
  })

  it('judges what is returned only where the source is certain', () => {
    const code = (inside: string, after: string) => `
      exports.handler = async event => {
        if (event.triggerSource === 'PreSignUp_SignUp') { ${inside} }
        ${after}
      }`
    const row = (line: number) => [`trigger-returns-event ${line} user-pool.md#verdict.same-event`]
    expect(mistakes(code('return { statusCode: 200 }', 'return event'))).toEqual(row(3))
    expect(mistakes(code('return event', 'return { statusCode: 200 }'))).toEqual([])
    expect(mistakes(code('return event', 'return event.response'))).toEqual([])
    expect(mistakes(code('event.response.autoConfirmUser = true', ''))).toEqual(row(2))
    expect(mistakes(code('throw new Error("closed")', ''))).toEqual([])
    expect(mistakes(code('list.map(each => { return { each } })', 'return event'))).toEqual([])
  })

  it('compares with the source of its own event only', () => {
    const code = (source: string, before = '') => `
      exports.handler = async event => {
        ${before}
        if (${source} === 'PreSignUp_SignUp') event.response.issueTokens = true
        return event
      }`
    const row = ['trigger-response 4 user-pool.md#DefineAuthChallenge.response.issueTokens']
    expect(mistakes(code('event.triggerSource'))).toEqual(row)
    expect(mistakes(code('triggerSource', 'const { triggerSource } = event'))).toEqual(row)
    expect(mistakes(code('previous.triggerSource'))).toEqual([])
    expect(mistakes(code('triggerSource'))).toEqual([])
    const inner = `
      exports.handler = async event => {
        past.map(event => { if (event.triggerSource === 'PreSignUp_SignUp') event.response.issueTokens = true })
        return event
      }`
    expect(mistakes(inner)).toEqual([])
  })
})

describe('decisions about mail', () => {
  const code = (actions: string) => `
    exports.handler = async event => {
      if (event.flowDirection === 'OUTBOUND') return undefined
      return { actions: [${actions}] }
    }`
  const bounces = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `{ recipients: [${i}], action: { type: 'BOUNCE', parameters: { bounceMessage: '${i}' } } }`,
    ).join()

  it.each([
    [`{ allRecipients: true, action: { type: 'REJECT' } }`, 'response.actions'],
    [`{ allRecipients: true, action: { type: 'default' } }`, 'action.DEFAULT'],
    [`{ action: { type: 'DROP' } }`, 'verdict.no-recipients'],
    [`{ allRecipient: true, action: { type: 'DROP' } }`, 'verdict.misspelt-field'],
    [bounces(11), 'verdict.ten-actions'],
  ])('finds %s', (actions, row) => {
    expect(mistakes(code(actions))).toEqual([`mail-response 4 mail-flow.md#${row}`])
  })

  it('says nothing about right decisions, and about actions of others', () => {
    expect(mistakes(code(bounces(10)))).toEqual([])
    expect(mistakes(code(`{ allRecipients: true, action: { type: kind } }`))).toEqual([])
    expect(mistakes(code(`{ name: 'a', type: 'b' }`))).toEqual([])
    const notReturned = `
      exports.handler = async event => {
        const log = { direction: event.flowDirection, actions: [{ action: { type: 'forward' } }] }
        return decide(log)
      }`
    expect(mistakes(notReturned)).toEqual([])
    const other = `exports.rule = { actions: [{ action: { type: 'forward' } }] }`
    expect(mistakes(other)).toEqual([])
  })
})
