import type { Starter } from '@signalbox/platform-runtime'

/** The starter project for user pools: a function that accepts sign-ups and adds a claim to ID tokens. */
export const userPoolStarter: Starter = {
  family: 'user-pool',
  calledBy: 'triggers of a Cognito user pool',
  functionName: 'sign-up',
  packages: ['@signalbox/user-pool'],
  config: `  userPools: {
    staff: {
      triggers: { function: 'sign-up', routes: ['PreSignUp_SignUp', 'TokenGeneration'] },
      clients: { web: { flows: ['password', 'srp', 'refresh'] } },
    },
  },
`,
  code: {
    node: `import { aws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { claims, deny, userPool } from '@signalbox/user-pool'

export const handler = aws(
  signalbox(
    userPool({
      PreSignUp_SignUp: ({ request }) => {
        if (!request.userAttributes.email?.toLowerCase().endsWith('@example.com'))
          deny('Staff addresses only')
        return { autoConfirmUser: true, autoVerifyEmail: true }
      },
      TokenGeneration: event => claims().set('tenant', 't1').for(event),
    }),
  ),
)
`,
    python: `def handler(event, context):
    """Lets staff sign up, and adds their tenant to tokens."""
    response = event['response']
    if event['triggerSource'] == 'PreSignUp_SignUp':
        if not event['request']['userAttributes'].get('email', '').lower().endswith('@example.com'):
            raise PermissionError('Staff addresses only')
        response.update(autoConfirmUser=True, autoVerifyEmail=True)
    elif event['triggerSource'].startswith('TokenGeneration_'):
        response['claimsOverrideDetails'] = {'claimsToAddOrOverride': {'tenant': 't1'}}
    return event
`,
    go: `package main

import (
	"context"
	"errors"
	"strings"

	"functions/signalbox"
)

type Map = map[string]any

// handle lets staff sign up, and adds their tenant to tokens.
func handle(_ context.Context, event Map) (Map, error) {
	source := event["triggerSource"].(string)
	response := event["response"].(Map)
	switch {
	case source == "PreSignUp_SignUp":
		attributes := event["request"].(Map)["userAttributes"].(Map)
		if email, _ := attributes["email"].(string); !strings.HasSuffix(strings.ToLower(email), "@example.com") {
			return nil, errors.New("Staff addresses only")
		}
		response["autoConfirmUser"] = true
		response["autoVerifyEmail"] = true
	case strings.HasPrefix(source, "TokenGeneration_"):
		response["claimsOverrideDetails"] = Map{"claimsToAddOrOverride": Map{"tenant": "t1"}}
	}
	return event, nil
}

func main() { signalbox.Serve(handle) }
`,
    shell: `# Lets staff sign up, and adds their tenant to tokens.
handler() {
  local event
  event=$(cat)
  case $(jq -r .triggerSource <<<"$event") in
    PreSignUp_SignUp)
      if [[ $(jq -r '.request.userAttributes.email // "" | ascii_downcase' <<<"$event") != *@example.com ]]; then
        echo 'Staff addresses only'
        return 1
      fi
      jq '.response += { autoConfirmUser: true, autoVerifyEmail: true }' <<<"$event"
      ;;
    TokenGeneration_*)
      jq '.response.claimsOverrideDetails = { claimsToAddOrOverride: { tenant: "t1" } }' <<<"$event"
      ;;
    *) echo "$event" ;;
  esac
}
`,
  },
  test: ({ imports, equal }) => `${imports}
import { createPlatform } from '@signalbox/platform'
import { handler } from './sign-up.ts'

test('staff can sign up and in, with the tenant in the token, and others cannot', async () => {
  const platform = createPlatform({
    functions: { 'sign-up': { handler, dialect: 'aws' } },
    userPools: {
      staff: {
        triggers: { function: 'sign-up', routes: ['PreSignUp_SignUp', 'TokenGeneration'] },
        clients: { web: { flows: ['password'] } },
      },
    },
    userPoolListener: { port: 0 },
    mail: { port: 0, domains: { 'example.com': { to: 'mailboxes' } } },
    control: { port: 0 },
    dataDir: ':memory:',
  })
  await platform.start()
  try {
    const staff = platform.userPools.get('staff')
    const call = async (operation: string, fields: object) => {
      const response = await fetch(staff.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': \`AWSCognitoIdentityProviderService.\${operation}\`,
        },
        body: JSON.stringify({ ClientId: staff.clientId('web'), ...fields }),
      })
      return response.status
    }
    const signUp = (Username: string, email: string) => {
      const UserAttributes = [{ Name: 'email', Value: email }]
      return call('SignUp', { Username, Password: 'Right-7even', UserAttributes })
    }
    ${equal("await signUp('eve', 'eve@elsewhere.example')", '400')}
    ${equal("await signUp('ann', 'Ann@Example.com')", '200')}

    const { idToken } = await staff.signIn('ann', 'Right-7even')
    const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()
    ${equal('JSON.parse(payload).tenant', "'t1'")}

    // The code for a new password comes by e-mail.
    ${equal("await call('ForgotPassword', { Username: 'ann' })", '200')}
    let [mail] = await platform.mail.inbox('ann@example.com')
    while (mail === undefined) {
      await new Promise(setImmediate)
      ;[mail] = await platform.mail.inbox('ann@example.com')
    }
    const text = (await platform.mail.read(mail)).toString()
    ${equal("text.includes((await staff.code('ann')) ?? 'no code')", 'true')}
  } finally {
    await platform.stop()
  }
})
`,
  tries: `npx signalbox pools
npx signalbox user add staff ann --attribute email=ann@example.com
npx signalbox users staff`,
  timeout: 5,
  resources: `  Staff:
    Type: AWS::Cognito::UserPool
    Properties:
      AutoVerifiedAttributes: [email]
      LambdaConfig:
        PreSignUp: !GetAtt SignUp.Arn
        PreTokenGeneration: !GetAtt SignUp.Arn
  StaffWeb:
    Type: AWS::Cognito::UserPoolClient
    Properties:
      UserPoolId: !Ref Staff
      ExplicitAuthFlows: [ALLOW_USER_PASSWORD_AUTH, ALLOW_USER_SRP_AUTH, ALLOW_REFRESH_TOKEN_AUTH]
  StaffMayCall:
    Type: AWS::Lambda::Permission
    Properties:
      Action: lambda:InvokeFunction
      FunctionName: !Ref SignUp
      Principal: cognito-idp.amazonaws.com
      SourceArn: !GetAtt Staff.Arn
`,
}
