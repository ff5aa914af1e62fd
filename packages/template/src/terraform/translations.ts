import { isObject } from '@signalbox/codec'
import { type Block, blocksOf, pascal, renamed } from './blocks.ts'
import { actionsOf, conditionsOf, transformOf } from './listener-rules.ts'

/** The attributes of a resource. Notes which of them were asked for. */
export interface Attributes {
  readonly address: string
  /** Returns an attribute, or undefined for none, for an empty text and for an empty list. */
  readonly value: (name: string) => unknown
  /** Returns the first block of a type with its attributes, or undefined. */
  readonly block: (name: string) => Block | undefined
  readonly blocks: (name: string) => readonly Block[]
  /** Returns whether the resource has a block or an attribute of the name. */
  readonly has: (name: string) => boolean
}

/** What a translation needs beside the attributes of its resource. */
interface Surroundings {
  /** Returns the code of a function. */
  readonly codeOf: (attributes: Attributes) => unknown
  /** Returns the ids that attachments add to a target group. */
  readonly targetsOf: (address: string) => readonly unknown[]
  /** Returns a name that is unique among the resources of a type. */
  readonly nameOf: (address: string) => string
}

/** How resources of a type are written in a template of CloudFormation. */
interface Translation {
  readonly type: string
  readonly properties: (attributes: Attributes, surroundings: Surroundings) => Block
}

/** Returns a number, or undefined for 0, which stands for no number. */
function positive(value: unknown): unknown {
  return typeof value === 'number' && value <= 0 ? undefined : value
}

/** Returns a number, or undefined for a negative one, which stands for no limit. */
function notNegative(value: unknown): unknown {
  return typeof value === 'number' && value < 0 ? undefined : value
}

const aws = {
  function: 'AWS::Lambda::Function',
  balancing: 'AWS::ElasticLoadBalancingV2',
  userPool: 'AWS::Cognito::UserPool',
}

const lambdaTriggers: { readonly [name: string]: string } = { kms_key_id: 'KMSKeyID' }

/** The priority of a rule without one, which the cloud puts after all others. */
const lastPriority = 50_000

/** The actions of a receipt rule, and the blocks of Terraform in which they are. */
const receiptActions: { readonly [block: string]: string } = {
  lambda_action: 'LambdaAction',
  s3_action: 'S3Action',
  sns_action: 'SNSAction',
  bounce_action: 'BounceAction',
  stop_action: 'StopAction',
  add_header_action: 'AddHeaderAction',
  workmail_action: 'WorkmailAction',
}

/** Returns the actions of a receipt rule in the order of their positions. */
function receiptActionsOf({ blocks }: Attributes): readonly Block[] {
  return Object.entries(receiptActions)
    .flatMap(([name, action]) => blocks(name).map(block => [action, block] as const))
    .sort(([, one], [, other]) => Number(one.position) - Number(other.position))
    .map(([action, { position: _, ...block }]) => ({ [action]: renamed(block) }))
}

function mfasOf({ has, block }: Attributes): readonly string[] {
  return [
    ...(block('software_token_mfa_configuration')?.enabled === true ? ['SOFTWARE_TOKEN_MFA'] : []),
    ...(has('sms_configuration') ? ['SMS_MFA'] : []),
    ...(has('email_mfa_configuration') ? ['EMAIL_OTP'] : []),
  ]
}

/** How each type of Terraform is written in a template of CloudFormation. */
export const translations: { readonly [type: string]: Translation } = {
  aws_lambda_function: {
    type: aws.function,
    properties: ({ value, block, ...rest }, { codeOf }) => {
      for (const name of ['source_code_hash', 'role', 'publish', 'skip_destroy']) value(name)
      return {
        FunctionName: value('function_name'),
        Code: codeOf({ value, block, ...rest }),
        Handler: value('handler'),
        Runtime: value('runtime'),
        PackageType: value('package_type'),
        Timeout: value('timeout'),
        MemorySize: value('memory_size'),
        ReservedConcurrentExecutions: notNegative(value('reserved_concurrent_executions')),
        Environment: renamed(block('environment')),
        TenancyConfig: renamed(block('tenancy_config')),
        DurableConfig: renamed(block('durable_config')),
        DeadLetterConfig: renamed(block('dead_letter_config')),
      }
    },
  },
  aws_lambda_alias: {
    type: 'AWS::Lambda::Alias',
    properties: ({ value }) => ({ FunctionName: value('function_name') }),
  },
  aws_lambda_event_source_mapping: {
    type: 'AWS::Lambda::EventSourceMapping',
    properties: ({ value, block }) => ({
      EventSourceArn: value('event_source_arn'),
      FunctionName: value('function_name'),
      Enabled: value('enabled'),
      BatchSize: value('batch_size'),
      MaximumBatchingWindowInSeconds: positive(value('maximum_batching_window_in_seconds')),
      FunctionResponseTypes: value('function_response_types'),
      ScalingConfig: renamed(block('scaling_config')),
      FilterCriteria: block('filter_criteria') && {
        Filters: blocksOf(block('filter_criteria')!.filter).map(({ pattern }) => ({ Pattern: pattern })),
      },
    }),
  },
  aws_lambda_function_event_invoke_config: {
    type: 'AWS::Lambda::EventInvokeConfig',
    properties({ value, block }) {
      const destinations = block('destination_config')
      return {
        FunctionName: value('function_name'),
        Qualifier: value('qualifier'),
        MaximumRetryAttempts: value('maximum_retry_attempts'),
        MaximumEventAgeInSeconds: positive(value('maximum_event_age_in_seconds')),
        DestinationConfig: destinations && {
          OnFailure: renamed(blocksOf(destinations.on_failure)[0]),
          OnSuccess: renamed(blocksOf(destinations.on_success)[0]),
        },
      }
    },
  },
  aws_sqs_queue: {
    type: 'AWS::SQS::Queue',
    properties({ value, address }, { nameOf }) {
      for (const name of ['policy', 'redrive_allow_policy', 'sqs_managed_sse_enabled']) value(name)
      const isFifo = value('fifo_queue') === true
      return {
        QueueName: value('name') ?? `${value('name_prefix') ?? ''}${nameOf(address)}${isFifo ? '.fifo' : ''}`,
        FifoQueue: isFifo ? true : undefined,
        ContentBasedDeduplication: isFifo ? value('content_based_deduplication') : undefined,
        VisibilityTimeout: value('visibility_timeout_seconds'),
        DelaySeconds: positive(value('delay_seconds')),
        MessageRetentionPeriod: value('message_retention_seconds'),
        RedrivePolicy: value('redrive_policy'),
      }
    },
  },
  aws_cognito_user_pool: {
    type: aws.userPool,
    properties(attributes) {
      const { value, block, blocks } = attributes
      value('name')
      const creation = block('admin_create_user_config')
      const recovery = block('account_recovery_setting')
      const lambdas = block('lambda_config')
      return {
        UsernameAttributes: value('username_attributes'),
        AliasAttributes: value('alias_attributes'),
        AutoVerifiedAttributes: value('auto_verified_attributes'),
        Policies: {
          PasswordPolicy: renamed(block('password_policy')),
          SignInPolicy: renamed(block('sign_in_policy')),
        },
        AdminCreateUserConfig: creation && {
          AllowAdminCreateUserOnly: creation.allow_admin_create_user_only,
        },
        MfaConfiguration: value('mfa_configuration'),
        EnabledMfas: mfasOf(attributes),
        Schema: blocks('schema').map(renamed),
        DeviceConfiguration: renamed(block('device_configuration')),
        AccountRecoverySetting: recovery && {
          RecoveryMechanisms: blocksOf(recovery.recovery_mechanism).map(renamed),
        },
        EmailConfiguration: block('email_configuration')?.from_email_address && {
          From: block('email_configuration')!.from_email_address,
        },
        WebAuthnRelyingPartyID: block('web_authn_configuration')?.relying_party_id,
        WebAuthnUserVerification: block('web_authn_configuration')?.user_verification,
        UserPoolAddOns: block('user_pool_add_ons') && {
          AdvancedSecurityMode: block('user_pool_add_ons')!.advanced_security_mode,
        },
        LambdaConfig:
          lambdas &&
          Object.fromEntries(
            Object.entries(lambdas).flatMap(([name, each]) => {
              const [nested] = Array.isArray(each) ? each : [each]
              if (nested === undefined || nested === '') return []
              const isConfig = isObject(nested) && 'lambda_arn' in nested
              return [[lambdaTriggers[name] ?? pascal(name), isConfig ? renamed(nested as Block) : nested]]
            }),
          ),
      }
    },
  },
  aws_cognito_user_pool_client: {
    type: `${aws.userPool}Client`,
    properties: ({ value, block }) => ({
      ClientName: value('name'),
      UserPoolId: value('user_pool_id'),
      GenerateSecret: value('generate_secret'),
      ExplicitAuthFlows: value('explicit_auth_flows'),
      PreventUserExistenceErrors: value('prevent_user_existence_errors'),
      AllowedOAuthFlowsUserPoolClient: value('allowed_oauth_flows_user_pool_client'),
      AllowedOAuthFlows: value('allowed_oauth_flows'),
      AllowedOAuthScopes: value('allowed_oauth_scopes'),
      CallbackURLs: value('callback_urls'),
      LogoutURLs: value('logout_urls'),
      SupportedIdentityProviders: value('supported_identity_providers'),
      ReadAttributes: value('read_attributes'),
      WriteAttributes: value('write_attributes'),
      RefreshTokenValidity: positive(value('refresh_token_validity')),
      AccessTokenValidity: positive(value('access_token_validity')),
      IdTokenValidity: positive(value('id_token_validity')),
      AuthSessionValidity: positive(value('auth_session_validity')),
      TokenValidityUnits: renamed(block('token_validity_units')),
      RefreshTokenRotation: renamed(block('refresh_token_rotation')),
    }),
  },
  aws_cognito_user_pool_domain: {
    type: `${aws.userPool}Domain`,
    properties: ({ value }) => ({
      Domain: value('domain'),
      UserPoolId: value('user_pool_id'),
      CustomDomainConfig: value('certificate_arn') && { CertificateArn: value('certificate_arn') },
    }),
  },
  aws_cognito_user_group: {
    type: `${aws.userPool}Group`,
    properties: ({ value }) => ({
      GroupName: value('name'),
      UserPoolId: value('user_pool_id'),
      Description: value('description'),
      Precedence: value('precedence'),
      RoleArn: value('role_arn'),
    }),
  },
  aws_cognito_resource_server: {
    type: `${aws.userPool}ResourceServer`,
    properties: ({ value, blocks }) => ({
      Identifier: value('identifier'),
      Name: value('name'),
      UserPoolId: value('user_pool_id'),
      Scopes: blocks('scope').map(renamed),
    }),
  },
  aws_cognito_identity_provider: {
    type: `${aws.userPool}IdentityProvider`,
    properties: ({ value }) => ({
      ProviderName: value('provider_name'),
      ProviderType: value('provider_type'),
      UserPoolId: value('user_pool_id'),
      ProviderDetails: value('provider_details'),
      AttributeMapping: value('attribute_mapping'),
      IdpIdentifiers: value('idp_identifiers'),
    }),
  },
  aws_ses_receipt_rule_set: {
    type: 'AWS::SES::ReceiptRuleSet',
    properties: ({ value }) => ({ RuleSetName: value('rule_set_name') }),
  },
  aws_ses_receipt_rule: {
    type: 'AWS::SES::ReceiptRule',
    properties: attributes => ({
      RuleSetName: attributes.value('rule_set_name'),
      After: attributes.value('after'),
      Rule: {
        Name: attributes.value('name'),
        Enabled: attributes.value('enabled'),
        Recipients: attributes.value('recipients'),
        ScanEnabled: attributes.value('scan_enabled'),
        TlsPolicy: attributes.value('tls_policy'),
        Actions: receiptActionsOf(attributes),
      },
    }),
  },
  aws_lb: { type: `${aws.balancing}::LoadBalancer`, properties: ({ value }) => ({ Name: value('name') }) },
  aws_lb_target_group: {
    type: `${aws.balancing}::TargetGroup`,
    properties({ address, value, block }, { targetsOf }) {
      const check = block('health_check')
      const isMulti = value('lambda_multi_value_headers_enabled') === true
      return {
        Name: value('name'),
        TargetType: value('target_type'),
        Targets: targetsOf(address).map(Id => ({ Id })),
        TargetGroupAttributes: isMulti
          ? [{ Key: 'lambda.multi_value_headers.enabled', Value: 'true' }]
          : undefined,
        ...(check?.enabled === true && {
          HealthCheckEnabled: true,
          HealthCheckPath: check.path,
          HealthCheckIntervalSeconds: check.interval,
          HealthyThresholdCount: check.healthy_threshold,
          UnhealthyThresholdCount: check.unhealthy_threshold,
        }),
      }
    },
  },
  aws_lb_listener: {
    type: `${aws.balancing}::Listener`,
    properties: ({ value, blocks }) => ({
      LoadBalancerArn: value('load_balancer_arn'),
      Port: value('port'),
      Protocol: value('protocol'),
      DefaultActions: actionsOf(blocks('default_action')),
    }),
  },
  aws_lb_listener_rule: {
    type: `${aws.balancing}::ListenerRule`,
    properties: ({ value, blocks }) => ({
      ListenerArn: value('listener_arn'),
      Priority: value('priority') ?? lastPriority,
      Conditions: blocks('condition').flatMap(conditionsOf),
      Actions: actionsOf(blocks('action')),
      Transforms: blocks('transform').length === 0 ? undefined : blocks('transform').map(transformOf),
    }),
  },
}

/** Types whose resources add to others, or need nothing here. */
export const needless =
  /^aws_(?:iam|cloudwatch|kms|xray|acm|vpc|subnet|security_group|internet_gateway|nat_gateway|route_table|eip|default|wafv2)(?:_|$)|^aws_(?:lambda_permission|lambda_alias|lambda_layer_version|lb|lb_target_group_attachment|sqs_queue_policy|sqs_queue_redrive_policy|sqs_queue_redrive_allow_policy|ses_active_receipt_rule_set)$|^(?:random|null|time|local|archive|terraform|tls|http|external)_/
