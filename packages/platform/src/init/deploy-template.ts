import type { Starter } from '@signalbox/platform-runtime'

/** Returns the template for the AWS SAM command line, with the functions and the resources that call them. */
export function deployTemplate(starters: readonly Starter[]): string {
  const parameters = starters.flatMap(starter => starter.parameters ?? [])
  return `AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
${parameters.length === 0 ? '' : `Parameters:\n${parameters.join('')}`}Resources:
${starters.map(starter => functionResource(starter) + starter.resources).join('')}`
}

function functionResource({ functionName, timeout, events = '' }: Starter): string {
  return `  ${logicalName(functionName)}:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: dist/${functionName}
      Handler: index.handler
      Runtime: nodejs24.x
      Timeout: ${timeout}
${events}`
}

/** Returns the name of a function's resource, such as `SignUp` for `sign-up`. */
function logicalName(functionName: string): string {
  return functionName.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
