import type { Part } from '../config/config.ts'
import { queuesByFunction } from './sam.ts'
import { listOf, partOf } from './values.ts'
import type { WrittenResource, WrittenStack } from './writing.ts'

/** The types of Terraform, and the attributes whose names differ by more than their spelling. */
const types: {
  readonly [type: string]: {
    readonly type: string
    readonly names?: { readonly [property: string]: string }
    /** The attribute that `Ref` stands for. */
    readonly ref: string
  }
} = {
  'AWS::Lambda::Function': { type: 'aws_lambda_function', ref: 'function_name' },
  'AWS::Lambda::Permission': { type: 'aws_lambda_permission', ref: 'id' },
  'AWS::Lambda::EventSourceMapping': { type: 'aws_lambda_event_source_mapping', ref: 'id' },
  'AWS::SQS::Queue': {
    type: 'aws_sqs_queue',
    ref: 'url',
    names: {
      QueueName: 'name',
      VisibilityTimeout: 'visibility_timeout_seconds',
      MessageRetentionPeriod: 'message_retention_seconds',
    },
  },
  'AWS::Cognito::UserPool': { type: 'aws_cognito_user_pool', ref: 'id', names: { UserPoolName: 'name' } },
  'AWS::Cognito::UserPoolClient': {
    type: 'aws_cognito_user_pool_client',
    ref: 'id',
    names: { ClientName: 'name', CallbackURLs: 'callback_urls', LogoutURLs: 'logout_urls' },
  },
  'AWS::Cognito::UserPoolDomain': { type: 'aws_cognito_user_pool_domain', ref: 'domain' },
  'AWS::Cognito::UserPoolGroup': { type: 'aws_cognito_user_group', ref: 'id', names: { GroupName: 'name' } },
  'AWS::Cognito::UserPoolResourceServer': {
    type: 'aws_cognito_resource_server',
    ref: 'identifier',
    names: { Scopes: 'scope' },
  },
  'AWS::Cognito::UserPoolIdentityProvider': { type: 'aws_cognito_identity_provider', ref: 'provider_name' },
  'AWS::ElasticLoadBalancingV2::LoadBalancer': {
    type: 'aws_lb',
    ref: 'arn',
    names: { Type: 'load_balancer_type' },
  },
  'AWS::ElasticLoadBalancingV2::TargetGroup': { type: 'aws_lb_target_group', ref: 'arn' },
  'AWS::ElasticLoadBalancingV2::Listener': { type: 'aws_lb_listener', ref: 'arn' },
  'AWS::ElasticLoadBalancingV2::ListenerRule': { type: 'aws_lb_listener_rule', ref: 'arn' },
}

/** Returns a program of Terraform in its JSON syntax, with what is missing in it as comments. */
export function terraformText({ resources, parameters, missing: lost }: WrittenStack): string {
  const missing = [
    ...lost,
    ...resources.flatMap(({ properties: { UserPoolName, WebAuthnFactorConfiguration } }) =>
      WebAuthnFactorConfiguration === undefined
        ? []
        : `userPools.${UserPoolName}.passkeys.bothFactors: Terraform has no argument for it`,
    ),
  ]
  const byId = new Map(resources.map(resource => [resource.id, resource]))
  const found: { [type: string]: { [name: string]: Part } } = {}
  const data: { [name: string]: Part } = {}
  const add = (type: string, name: string, body: Part) => {
    found[type] = { ...found[type], [name]: body }
  }
  const context: Context = { byId, parameters }
  const polled = queuesByFunction(resources)
  for (const resource of resources) {
    const { id, type, properties } = resource
    if (type === 'AWS::Lambda::Function') {
      data[id] = { type: 'zip', source_dir: properties.Code, output_path: `.terraform/${id}.zip` }
      add('aws_iam_role', id, roleBody(id))
      add('aws_iam_role_policy_attachment', id, {
        role: `\${aws_iam_role.${id}.name}`,
        policy_arn: 'arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole',
      })
      if (!polled.has(id))
        found.aws_iam_role_policy_attachment![id] = {
          ...found.aws_iam_role_policy_attachment![id],
          policy_arn: 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole',
        }
    }
    if (type === 'AWS::ElasticLoadBalancingV2::TargetGroup')
      for (const [at, target] of listOf(properties.Targets).entries())
        add('aws_lb_target_group_attachment', at === 0 ? id : `${id}${at}`, {
          target_group_arn: `\${aws_lb_target_group.${id}.arn}`,
          target_id: written(partOf(target).Id, context),
        })
    add(types[type]!.type, id, bodyOf(resource, context))
  }
  const variable = Object.fromEntries(
    Object.entries(parameters).map(([name, { Type, Description, NoEcho }]) => [
      name,
      {
        type: Type.startsWith('List<') ? 'list(string)' : 'string',
        description: Description,
        ...(NoEcho && { sensitive: true }),
      },
    ]),
  )
  const program = {
    ...(missing.length > 0 && {
      '//': ['The configuration has more, which is not in this file:', ...missing],
    }),
    terraform: { required_providers: { aws: { source: 'hashicorp/aws' } } },
    ...(Object.keys(variable).length > 0 && { variable }),
    ...(Object.keys(data).length > 0 && { data: { archive_file: data } }),
    resource: found,
  }
  return `${JSON.stringify(program, undefined, 2)}\n`
}

interface Context {
  readonly byId: ReadonlyMap<string, WrittenResource>
  readonly parameters: WrittenStack['parameters']
}

function roleBody(id: string): Part {
  const Statement = [
    { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
  ]
  return {
    name_prefix: id.slice(0, 30),
    assume_role_policy: JSON.stringify({ Version: '2012-10-17', Statement }),
  }
}

/** Returns a name of CloudFormation as Terraform writes it, such as `minimum_length` for `MinimumLength`. */
function snake(name: string): string {
  return name
    .replaceAll('OAuth', 'Oauth')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
}

/** Returns the reference for a call of a template, inside of `${…}`. */
function referenceOf(value: unknown, { byId, parameters }: Context): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = partOf(value)
  const id = typeof Ref === 'string' ? Ref : Array.isArray(attribute) ? String(attribute[0]) : undefined
  if (id === undefined) return undefined
  if (Object.hasOwn(parameters, id)) return `var.${id}`
  const { type, ref } = types[byId.get(id)!.type]!
  return `${type}.${id}.${Ref === undefined ? 'arn' : ref}`
}

/** Returns a text as a template of Terraform says it. */
function text(value: string): string {
  return value.replaceAll(/[$%](?=\{)/g, mark => mark + mark)
}

function written(value: unknown, context: Context): unknown {
  const reference = referenceOf(value, context)
  if (reference !== undefined) return `\${${reference}}`
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map(each => written(each, context))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [snake(name), written(each, context)]),
  )
}

/** Returns an object whose keys are not those of CloudFormation. */
function mapOf(value: unknown, context: Context): Part {
  return Object.fromEntries(
    Object.entries(partOf(value)).map(([name, each]) => [name, written(each, context)]),
  )
}

function bodyOf({ id, type, properties }: WrittenResource, context: Context): Part {
  const { names = {} } = types[type]!
  const body: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(properties)) {
    const own = special[`${type}.${name}`] ?? special[name]
    const [block, attribute] = inBlocks[name] ?? []
    if (block !== undefined) body[block] = { ...(body[block] as Part), [attribute!]: value }
    else if (own !== undefined) Object.assign(body, own(value, context))
    else body[names[name] ?? snake(name)] = written(value, context)
  }
  if (type === 'AWS::Lambda::Function')
    Object.assign(body, {
      role: `\${aws_iam_role.${id}.arn}`,
      filename: `\${data.archive_file.${id}.output_path}`,
      source_code_hash: `\${data.archive_file.${id}.output_base64sha256}`,
    })
  return body
}

/** The properties that Terraform has in blocks. */
const inBlocks: { readonly [property: string]: readonly [block: string, attribute: string] } = {
  HealthCheckEnabled: ['health_check', 'enabled'],
  HealthCheckPath: ['health_check', 'path'],
  HealthCheckIntervalSeconds: ['health_check', 'interval'],
  HealthyThresholdCount: ['health_check', 'healthy_threshold'],
  UnhealthyThresholdCount: ['health_check', 'unhealthy_threshold'],
  WebAuthnRelyingPartyID: ['web_authn_configuration', 'relying_party_id'],
  WebAuthnUserVerification: ['web_authn_configuration', 'user_verification'],
}

type Special = (value: unknown, context: Context) => Part

function actionOf(action: Part, context: Context): Part {
  const { Type, Order, TargetGroupArn, ForwardConfig, FixedResponseConfig, RedirectConfig } = action
  const { AuthenticateCognitoConfig, AuthenticateOidcConfig, JwtValidationConfig } = action
  const response = partOf(FixedResponseConfig)
  const { AdditionalClaims, ...token } = partOf(JwtValidationConfig)
  const { Enabled, DurationSeconds } = partOf(partOf(ForwardConfig).TargetGroupStickinessConfig)
  return {
    type: Type,
    ...(Order !== undefined && { order: Order }),
    ...(AuthenticateCognitoConfig !== undefined && {
      authenticate_cognito: signInOf(partOf(AuthenticateCognitoConfig), context),
    }),
    ...(AuthenticateOidcConfig !== undefined && {
      authenticate_oidc: signInOf(partOf(AuthenticateOidcConfig), context),
    }),
    ...(JwtValidationConfig !== undefined && {
      jwt_validation: {
        ...(written(token, context) as Part),
        ...(AdditionalClaims !== undefined && { additional_claim: written(AdditionalClaims, context) }),
      },
    }),
    ...(TargetGroupArn !== undefined && { target_group_arn: written(TargetGroupArn, context) }),
    ...(ForwardConfig !== undefined && {
      forward: {
        target_group: listOf(partOf(ForwardConfig).TargetGroups).map(group => ({
          arn: written(partOf(group).TargetGroupArn, context),
          weight: partOf(group).Weight,
        })),
        ...(Enabled === true && { stickiness: { enabled: true, duration: DurationSeconds } }),
      },
    }),
    ...(FixedResponseConfig !== undefined && {
      fixed_response: written({ ContentType: 'text/plain', ...response }, context),
    }),
    ...(RedirectConfig !== undefined && { redirect: written(RedirectConfig, context) }),
  }
}

function signInOf({ AuthenticationRequestExtraParams, ...config }: Part, context: Context): Part {
  return {
    ...(written(config, context) as Part),
    ...(AuthenticationRequestExtraParams !== undefined && {
      authentication_request_extra_params: mapOf(AuthenticationRequestExtraParams, context),
    }),
  }
}

function transformOf({ Type, ...configs }: Part, context: Context): Part {
  const rewrites = Object.entries(configs).map(([name, config]) => [
    snake(name),
    { rewrite: written(partOf(config).Rewrites, context) },
  ])
  return { type: Type, ...Object.fromEntries(rewrites) }
}

function conditionOf(condition: Part, context: Context): Part {
  const { Field, QueryStringConfig, ...config } = condition
  const name = String(Field).replaceAll('-', '_')
  if (QueryStringConfig !== undefined)
    return { query_string: written(partOf(QueryStringConfig).Values, context) }
  return { [name]: written(Object.values(config)[0], context) }
}

/** Properties that Terraform writes in another way. */
const special: { readonly [property: string]: Special } = {
  'AWS::Lambda::Function.Code': () => ({}),
  'AWS::Lambda::Function.Environment': (value, context) => ({
    environment: { variables: mapOf(partOf(value).Variables, context) },
  }),
  'AWS::SQS::Queue.RedrivePolicy'(value, context) {
    const { deadLetterTargetArn, maxReceiveCount } = partOf(value)
    const target = referenceOf(deadLetterTargetArn, context)
    return {
      redrive_policy: `\${jsonencode({ deadLetterTargetArn = ${target}, maxReceiveCount = ${maxReceiveCount} })}`,
    }
  },
  FilterCriteria: (value, context) => ({
    filter_criteria: {
      filter: listOf(partOf(value).Filters).map(each => ({
        pattern: written(partOf(each).Pattern, context),
      })),
    },
  }),
  Policies(value, context) {
    const { PasswordPolicy, SignInPolicy } = partOf(value)
    return {
      ...(PasswordPolicy !== undefined && { password_policy: written(PasswordPolicy, context) }),
      ...(SignInPolicy !== undefined && { sign_in_policy: written(SignInPolicy, context) }),
    }
  },
  EnabledMfas: value => ({
    ...(listOf(value).includes('SOFTWARE_TOKEN_MFA') && {
      software_token_mfa_configuration: { enabled: true },
    }),
    ...(listOf(value).includes('EMAIL_OTP') && {
      email_mfa_configuration: { message: 'Your code is {####}', subject: 'Your code' },
    }),
  }),
  AccountRecoverySetting: (value, context) => ({
    account_recovery_setting: { recovery_mechanism: written(partOf(value).RecoveryMechanisms, context) },
  }),
  EmailConfiguration: value => ({ email_configuration: { from_email_address: partOf(value).From } }),
  ProviderDetails: (value, context) => ({ provider_details: mapOf(value, context) }),
  AttributeMapping: (value, context) => ({ attribute_mapping: mapOf(value, context) }),
  // A program of Terraform says it in a comment.
  WebAuthnFactorConfiguration: () => ({}),
  Targets: () => ({}),
  TargetGroupAttributes: value => ({
    lambda_multi_value_headers_enabled: listOf(value).length > 0,
  }),
  Certificates: (value, context) => ({
    certificate_arn: written(partOf(listOf(value)[0]).CertificateArn, context),
  }),
  DefaultActions: (value, context) => ({
    default_action: listOf(value).map(each => actionOf(partOf(each), context)),
  }),
  Actions: (value, context) => ({ action: listOf(value).map(each => actionOf(partOf(each), context)) }),
  Transforms: (value, context) => ({
    transform: listOf(value).map(each => transformOf(partOf(each), context)),
  }),
  Conditions: (value, context) => ({
    condition: listOf(value).map(each => conditionOf(partOf(each), context)),
  }),
}
