import type { Starter } from '@signalbox/platform-runtime'

/** The parts of a new mail project, with a function that drops spam. */
export const mailStarter: Starter = {
  family: 'mail-flow',
  calledBy: 'mails, by rules of WorkMail',
  functionName: 'mailroom',
  packages: ['@signalbox/mail-flow'],
  config: `  mail: {
    domains: { 'office.example': { to: 'mailboxes' } },
    rules: [{ direction: 'INBOUND', function: 'mailroom', decide: 'before' }],
    relay: 'keep',
  },
`,
  code: {
    node: `import { aws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'

export const handler = aws(
  signalbox(
    mailFlow((mail, actions) => (mail.from.endsWith('@spam.example') ? actions.drop() : actions.default())),
  ),
)
`,
    python: `def handler(event, context):
    """Drops spam, and delivers all other mail."""
    is_spam = event['envelope']['mailFrom']['address'].endswith('@spam.example')
    return {'actions': [{'action': {'type': 'DROP' if is_spam else 'DEFAULT'}, 'allRecipients': True}]}
`,
    go: `package main

import (
	"context"
	"strings"

	"functions/signalbox"
)

type Mail struct {
	Envelope struct {
		MailFrom struct{ Address string }
	}
}

type Decision struct {
	Actions []Action \`json:"actions"\`
}

type Action struct {
	Action struct {
		Type string \`json:"type"\`
	} \`json:"action"\`
	AllRecipients bool \`json:"allRecipients"\`
}

// decide drops spam, and delivers all other mail.
func decide(_ context.Context, mail Mail) (Decision, error) {
	action := Action{AllRecipients: true}
	action.Action.Type = "DEFAULT"
	if strings.HasSuffix(mail.Envelope.MailFrom.Address, "@spam.example") {
		action.Action.Type = "DROP"
	}
	return Decision{[]Action{action}}, nil
}

func main() { signalbox.Serve(decide) }
`,
    shell: `# Drops spam, and delivers all other mail.
handler() {
  jq '(if .envelope.mailFrom.address | endswith("@spam.example") then "DROP" else "DEFAULT" end) as $type
      | { actions: [{ action: { type: $type }, allRecipients: true }] }'
}
`,
  },
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
