import { type Block, blocksOf, pascal, renamed } from './blocks.ts'

/** The types of actions, and the blocks of Terraform and CloudFormation that say how users sign in, or what tokens are valid. */
const identityBlocks = {
  authenticate_oidc: 'AuthenticateOidcConfig',
  authenticate_cognito: 'AuthenticateCognitoConfig',
  jwt_validation: 'JwtValidationConfig',
} as const

/** Returns the block of an action that signs users in or checks tokens, with the names of CloudFormation. */
function identityOf(name: keyof typeof identityBlocks, action: Block): Block | undefined {
  const [block] = blocksOf(action[name])
  if (block === undefined) return undefined
  const { authentication_request_extra_params: parameters, additional_claim: claims, ...rest } = block
  return {
    ...renamed(rest),
    // The names of parameters are the user's.
    AuthenticationRequestExtraParams: parameters ?? undefined,
    AdditionalClaims: claims === undefined ? undefined : blocksOf(claims).map(renamed),
  }
}

function actionOf(action: Block): Block {
  const [forward] = blocksOf(action.forward)
  const [response] = blocksOf(action.fixed_response)
  const [redirect] = blocksOf(action.redirect)
  const [stickiness] = blocksOf(forward?.stickiness)
  const identity = Object.entries(identityBlocks).map(([name, config]) => [
    config,
    identityOf(name as keyof typeof identityBlocks, action),
  ])
  return {
    Type: action.type,
    TargetGroupArn: action.target_group_arn || undefined,
    ForwardConfig: forward && {
      TargetGroups: blocksOf(forward.target_group).map(({ arn, weight }) => ({
        TargetGroupArn: arn,
        Weight: weight,
      })),
      TargetGroupStickinessConfig: stickiness && {
        Enabled: stickiness.enabled,
        DurationSeconds: stickiness.duration,
      },
    },
    FixedResponseConfig: renamed(response),
    RedirectConfig: renamed(redirect),
    ...Object.fromEntries(identity),
  }
}

const rewriteBlocks: { readonly [block: string]: string } = {
  host_header_rewrite_config: 'HostHeaderRewriteConfig',
  url_rewrite_config: 'UrlRewriteConfig',
}

/** Returns a change of host or path of a rule. */
export function transformOf(transform: Block): Block {
  const found = Object.entries(rewriteBlocks).flatMap(([name, config]) =>
    blocksOf(transform[name]).map(block => [config, { Rewrites: blocksOf(block.rewrite).map(renamed) }]),
  )
  return { Type: transform.type, ...Object.fromEntries(found) }
}

/** Returns the actions of a listener or a rule in their order. */
export function actionsOf(actions: readonly Block[]): readonly Block[] {
  return actions
    .map((action, at) => ({ action, order: typeof action.order === 'number' ? action.order : at + 1 }))
    .sort((one, other) => one.order - other.order)
    .map(({ action }) => actionOf(action))
}

const conditionConfigs: { readonly [block: string]: string } = {
  path_pattern: 'PathPatternConfig',
  host_header: 'HostHeaderConfig',
  http_request_method: 'HttpRequestMethodConfig',
  source_ip: 'SourceIpConfig',
  http_header: 'HttpHeaderConfig',
}

/** Returns the conditions of a rule. A block of Terraform may have several. */
export function conditionsOf(block: Block): readonly Block[] {
  return Object.entries(block).flatMap(([name, value]) => {
    const Field = name.replaceAll('_', '-')
    if (name === 'query_string') {
      const Values = blocksOf(value).map(({ key, value: text }) => ({ Key: key, Value: text }))
      return Values.length === 0 ? [] : [{ Field, QueryStringConfig: { Values } }]
    }
    return blocksOf(value).map(config => ({
      Field,
      [conditionConfigs[name] ?? pascal(name)]: renamed(config),
    }))
  })
}
