import { isObject } from '@signalbox/codec'
import type { Part } from '../config/config.ts'

/** Returns the value of an option as an object. */
export function partOf(value: unknown): Part {
  return isObject(value) ? value : {}
}

/** Returns the value of an option as a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

export const refTo = (id: string): Part => ({ Ref: id })
export const arnOf = (id: string): Part => ({ 'Fn::GetAtt': [id, 'Arn'] })

/** Returns a permission for a service to call a function. */
export function permission(
  id: string,
  callee: string,
  service: string,
  SourceArn?: unknown,
): { readonly id: string; readonly type: string; readonly properties: Part } {
  return {
    id,
    type: 'AWS::Lambda::Permission',
    properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: arnOf(callee),
      Principal: `${service}.amazonaws.com`,
      ...(SourceArn !== undefined && { SourceArn }),
    },
  }
}
