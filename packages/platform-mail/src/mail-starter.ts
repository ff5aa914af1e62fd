import type { Starter } from '@signalbox/platform-runtime'

/** The parts of a new mail project, with a function that drops spam. */
export const mailStarter: Starter = {
  family: 'mail-flow',
  calledBy: 'mails, by rules of WorkMail',
  functionName: 'mailroom',
  packages: ['@signalbox/mail-flow'],
  config: `  mail: {
    domains: { 'office.example': { to: 'mailboxes' } },
    rules: [{ direction: 'INBOUND', function: 'mailroom' }],
    relay: 'keep',
  },
`,
  code: `import { aws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'

export const handler = aws(
  signalbox(
    mailFlow((mail, actions) =>
      mail.from.endsWith('@spam.example') ? actions.drop() : actions.default(),
    ),
  ),
)
`,
  test: ({ imports, equal }) => `${imports}
import { awsEvent } from '@signalbox/aws/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { handler } from './mailroom.ts'

test('drops spam', async () => {
  const answer = await handler(awsEvent(mailEvent({ from: 'eve@spam.example' })))
  ${equal('answer', "{ actions: [{ action: { type: 'DROP' }, allRecipients: true }] }")}
})
`,
  tries: `npx signalbox mail send --from rita@partner.example --to ann@office.example --subject Hello
npx signalbox mail status`,
  timeout: 15,
  resources: `  WorkMailMayCall:
    Type: AWS::Lambda::Permission
    Properties:
      Action: lambda:InvokeFunction
      FunctionName: !Ref Mailroom
      Principal: !Sub workmail.\${AWS::Region}.amazonaws.com
`,
  deploy:
    'WorkMail gets the rule that calls `mailroom` by hand: choose _Run Lambda_, and tick _Run Lambda synchronously_.',
}
