import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate, type TemplateOptions } from './index.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
mkdirSync(join(folder.path, 'sort'))
writeFileSync(join(folder.path, 'sort/index.mjs'), '')

const read = (text: string, beside: TemplateOptions['beside'] = {}) => {
  const { config, warnings, explain } = readTemplate(text, {
    root: folder.path,
    template: folder.path,
    python: () => ['python3', 'runtime.py'],
    keep: () => folder.path,
    parameters: {},
    region: 'eu-central-1',
    account: '123456789012',
    stack: 'shop',
    beside,
  })
  const of = (wanted: string) => warnings.flatMap(({ kind, text: each }) => (kind === wanted ? each : []))
  return { mail: config.mail, missing: of('missing'), ignored: of('ignored'), explain }
}

const events = (name: string) =>
  `${name} gets mail as an event of the platform, not as a record of SES: \`sesMail()\` of @signalbox/aws takes both.`

const resources = (rules: string) => `
Parameters: {Setting: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /shop/setting}}
Resources:
  Sort: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: sort, Handler: index.handler}}
  Note: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: sort, Handler: index.handler}}
  Set: {Type: AWS::SES::ReceiptRuleSet}
${rules}`

const rule = (id: string, settings: string, after = '') =>
  `  ${id}: {Type: AWS::SES::ReceiptRule, Properties: {RuleSetName: !Ref Set, ${after}Rule: {Enabled: true, ${settings}}}}\n`
const calls = (name: string, more = '') => `{LambdaAction: {FunctionArn: !GetAtt ${name}.Arn${more}}}`

describe('receipt rules of SES', () => {
  it('are rules of mail, with the domains of their recipients', () => {
    const { mail, missing } = read(
      resources(
        rule(
          'All',
          `Recipients: [office.example, .office.example], Actions: [${calls('Sort', ', InvocationType: RequestResponse')}]`,
        ) + rule('Few', `Recipients: [ann@Far.example, bob@far.example], Actions: [${calls('Note')}]`),
      ),
    )
    expect(mail).toEqual({
      domains: {
        'office.example': { to: 'mailboxes' },
        'far.example': { to: 'mailboxes', recipients: ['ann', 'bob'] },
      },
      rules: [
        { direction: 'INBOUND', function: 'Sort', recipients: ['office.example', '*.office.example'] },
        {
          ...{ direction: 'INBOUND', function: 'Note', mode: 'async' },
          recipients: ['ann@Far.example', 'bob@far.example'],
        },
      ],
    })
    expect(missing).toEqual([events('Sort'), events('Note')])
  })

  it('name each action that is not here, with what it means', () => {
    const others =
      '{S3Action: {BucketName: b}}, {SNSAction: {TopicArn: t}}, {BounceAction: {Message: no}}, {StopAction: {Scope: RuleSet}}, {AddHeaderAction: {HeaderName: a, HeaderValue: b}}, {WorkmailAction: {OrganizationArn: o}}, {ConnectAction: {InstanceARN: i}}, {NewAction: {}}'
    const { mail, ignored, missing } = read(
      resources(
        rule(
          'All',
          `Recipients: [office.example], ScanEnabled: true, TlsPolicy: Require, Actions: [${others}]`,
        ),
      ),
    )
    expect(mail).toEqual({ domains: { 'office.example': { to: 'mailboxes' } }, rules: [] })
    expect(ignored).toEqual([expect.stringMatching(/^AWS::SES::ReceiptRule: /)])
    for (const text of [
      'ScanEnabled',
      'S3Action: no bucket gets the mail',
      'SNSAction: no topic',
      'BounceAction: the mail is delivered instead of bounced',
      'StopAction: one rule',
      'AddHeaderAction: the mail gets no further header',
      'WorkmailAction: the mail is in the mailboxes',
      'ConnectAction',
      'NewAction: nothing here does that',
    ])
      expect(ignored[0]).toContain(text)
    expect(missing).toEqual(['All takes mail without TLS here. Set `mail.tls` in a configuration.'])
  })

  it('have the order of After, by which the first of two for the same recipients calls its function', () => {
    const { mail, missing } = read(
      resources(
        rule('Second', `Recipients: [office.example], Actions: [${calls('Note')}]`, 'After: !Ref First, ') +
          rule('First', `Recipients: [Office.example], Actions: [${calls('Sort')}, ${calls('Note')}]`),
      ),
    )
    expect(mail!.rules).toMatchObject([{ function: 'Sort' }])
    expect(missing).toContain('First does not call Note, because one function decides on a mail here.')
    expect(missing).toContain(
      'Second does not call Note, because one function decides on a mail here, and First is for the same recipients.',
    )
    expect(() =>
      read(
        resources(
          rule('One', 'Recipients: [a.example], Actions: []', 'After: Two, ') +
            rule('Two', 'Recipients: [a.example], Actions: []', 'After: One, '),
        ),
      ),
    ).toThrow('/Resources/One/Properties/After')
  })

  it('do not run when they are not enabled, or when the cloud alone knows for whom they are', () => {
    const off = resources(rule('Off', `Recipients: [a.example], Actions: [${calls('Sort')}]`)).replace(
      'Enabled: true, ',
      '',
    )
    expect(read(off)).toMatchObject({
      mail: undefined,
      ignored: ['AWS::SES::ReceiptRule: Off is not enabled'],
    })
    const unknown = resources(rule('One', `Recipients: [!Ref Setting], Actions: [${calls('Sort')}]`))
    const { mail, missing } = read(unknown)
    expect(mail).toBeUndefined()
    expect(missing).toContain('One gets no mail, because only the cloud knows its recipients.')
    const { missing: ofSets } = read(
      `${resources(rule('One', `Recipients: [a.example], Actions: [${calls('Sort')}]`))}  Other: {Type: AWS::SES::ReceiptRuleSet}\n`,
    )
    expect(ofSets).toEqual([
      'One gets no mail, because only the cloud knows which of the rule sets is active.',
    ])
    expect(() => read(resources(rule('One', "Recipients: ['*@a.example'], Actions: []")))).toThrow(
      'an address, a domain, or subdomains',
    )
  })

  it('without a domain need one of the configuration beside the template', () => {
    const text = resources(rule('One', `Actions: [${calls('Sort')}]`))
    expect(read(text).missing).toContain(
      'One gets no mail, because its recipients name no domain. Set `mail.domains` in a configuration.',
    )
    const beside = { mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } } }
    const { mail, explain } = read(text, beside)
    expect(mail).toEqual({
      ...beside.mail,
      rules: [{ direction: 'INBOUND', function: 'Sort', mode: 'async' }],
    })
    const problem = { pointer: '/mail/rules/0/function', expected: 'a function', actual: 'none' }
    expect(explain(problem).pointer).toBe('/Resources/One/Properties/Rule/Actions')
  })

  it('are those of the active rule set in a plan of Terraform, with the order of their positions', () => {
    const plan = (active: string) =>
      JSON.stringify({
        format_version: '1.2',
        terraform_version: '1.9.0',
        planned_values: {
          root_module: {
            resources: [
              planned('aws_ses_receipt_rule_set', 'mail', { rule_set_name: 'mail' }),
              planned('aws_ses_active_receipt_rule_set', 'mail', { rule_set_name: active }),
              planned('aws_ses_receipt_rule', 'sort', {
                ...{ name: 'sort', rule_set_name: 'mail', enabled: true, recipients: ['office.example'] },
                lambda_action: [
                  { function_arn: 'arn:aws:lambda:r:1:function:note', invocation_type: 'Event', position: 3 },
                  {
                    ...{ function_arn: 'arn:aws:lambda:r:1:function:sort', position: 1 },
                    invocation_type: 'RequestResponse',
                  },
                ],
                stop_action: [{ scope: 'RuleSet', position: 2 }],
              }),
            ],
          },
        },
        configuration: { root_module: { resources: [] } },
      })
    const functions = { sort: { module: './sort' }, note: { module: './note' } }
    const { mail, ignored } = read(plan('mail'), { functions })
    expect(mail).toEqual({
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'sort', recipients: ['office.example'] }],
    })
    expect(ignored.join()).toContain('StopAction')
    const other = read(plan('other'), { functions })
    expect(other.mail).toBeUndefined()
    expect(other.missing).toEqual([
      'aws_ses_receipt_rule.sort gets no mail, because its rule set is not the active one.',
    ])
  })
})

const planned = (type: string, name: string, values: object) => ({
  ...{ address: `${type}.${name}`, mode: 'managed', type, name, values },
  ...{ provider_name: 'registry.terraform.io/hashicorp/aws', schema_version: 0 },
})
