import { invalidParameter } from '../users/attributes.ts'
import type { AttributeInput, SchemaAttribute } from './created-pool.ts'

function textAttribute(Name: string, MinLength = '0', MaxLength = '2048'): SchemaAttribute {
  return {
    Name,
    AttributeDataType: 'String',
    DeveloperOnlyAttribute: false,
    Mutable: true,
    Required: false,
    StringAttributeConstraints: { MinLength, MaxLength },
  }
}

function flagAttribute(Name: string): SchemaAttribute {
  const { StringAttributeConstraints: _, ...rest } = textAttribute(Name)
  return { ...rest, AttributeDataType: 'Boolean' }
}

/** The attributes that every pool has, as clients see them. */
export const standardSchema: readonly SchemaAttribute[] = [
  { ...textAttribute('sub', '1'), Mutable: false, Required: true },
  textAttribute('name'),
  textAttribute('given_name'),
  textAttribute('family_name'),
  textAttribute('middle_name'),
  textAttribute('nickname'),
  textAttribute('preferred_username'),
  textAttribute('profile'),
  textAttribute('picture'),
  textAttribute('website'),
  textAttribute('email'),
  flagAttribute('email_verified'),
  textAttribute('gender'),
  textAttribute('birthdate', '10', '10'),
  textAttribute('zoneinfo'),
  textAttribute('locale'),
  textAttribute('phone_number'),
  flagAttribute('phone_number_verified'),
  textAttribute('address'),
  {
    ...flagAttribute('updated_at'),
    AttributeDataType: 'Number',
    NumberAttributeConstraints: { MinValue: '0' },
  },
]

const types = ['Boolean', 'Number', 'String', 'DateTime']

/**
 * Adds custom attributes to a schema, and changes the settings of standard attributes.
 * @throws UserPoolError for an invalid attribute
 */
export function schemaWith(
  schema: readonly SchemaAttribute[],
  inputs: readonly AttributeInput[],
): readonly SchemaAttribute[] {
  const all = new Map(schema.map(each => [each.Name, each]))
  for (const input of inputs) {
    const standard = standardSchema.find(({ Name }) => Name === input.Name)
    const attribute = standard === undefined ? customAttribute(input) : changedStandard(standard, input)
    if (standard === undefined && all.has(attribute.Name))
      throw invalidParameter(`custom:${input.Name}: Existing attribute already has name ${attribute.Name}.`)
    all.set(attribute.Name, attribute)
  }
  return [...all.values()]
}

function changedStandard(standard: SchemaAttribute, input: AttributeInput): SchemaAttribute {
  const { AttributeDataType: type = standard.AttributeDataType, DeveloperOnlyAttribute } = input
  if (type !== standard.AttributeDataType || DeveloperOnlyAttribute === true)
    throw invalidParameter(
      `You can not change AttributeDataType or set developerOnlyAttribute for standard schema attribute ${standard.Name}`,
    )
  return {
    ...standard,
    Mutable: input.Mutable ?? standard.Mutable,
    Required: input.Required ?? standard.Required,
    ...constraintsOf(input, type, standard.Name),
  }
}

function customAttribute(input: AttributeInput): SchemaAttribute {
  const { Name = '', AttributeDataType: type, DeveloperOnlyAttribute = false } = input
  if (!/^[\w-]{1,20}$/.test(Name))
    throw invalidParameter('The name of a custom attribute has 1 to 20 letters, digits, - and _.')
  if (input.Required) throw invalidParameter('Required custom attributes are not supported currently.')
  if (type === undefined)
    throw invalidParameter(
      'Invalid AttributeDataType input, consider using the provided AttributeDataType enum.',
    )
  if (!types.includes(type))
    throw invalidParameter(
      `Validation error detected: Value '${type}' failed to satisfy constraint: Member must satisfy enum value set: [${types.join(', ')}]`,
    )
  return {
    Name: `${DeveloperOnlyAttribute ? 'dev:' : ''}custom:${Name}`,
    AttributeDataType: type,
    DeveloperOnlyAttribute,
    Mutable: input.Mutable ?? true,
    Required: false,
    ...(type === 'String' && { StringAttributeConstraints: {} }),
    ...constraintsOf(input, type, Name),
  }
}

/** Returns the constraints that apply to an attribute's type. Constraints for other types are ignored. */
function constraintsOf(
  { StringAttributeConstraints: text, NumberAttributeConstraints: number }: AttributeInput,
  type: string,
  name: string,
) {
  if (type === 'String' && text !== undefined) {
    const [least, most] = bounds(text.MinLength, text.MaxLength, 'StringAttributeConstraints', name)
    if (Math.max(least ?? 0, most ?? 0) > 2048)
      throw invalidParameter(`user.${name}: String attributes cannot have a length of more than 2048`)
    if (least !== undefined && most !== undefined && least > most)
      throw invalidParameter(`user.${name}: Max length cannot be less than min length.`)
    return { StringAttributeConstraints: text }
  }
  if (type === 'Number' && number !== undefined) {
    const [least, most] = bounds(number.MinValue, number.MaxValue, 'NumberAttributeConstraints', name)
    if (least !== undefined && most !== undefined && least > most)
      throw invalidParameter(`user.${name}: Max value cannot be less than min value.`)
    return { NumberAttributeConstraints: number }
  }
  return {}
}

function bounds(least: string | undefined, most: string | undefined, kind: string, name: string) {
  return [least, most].map(bound => {
    if (bound === undefined) return undefined
    if (!/^-?\d{1,15}$/.test(bound)) throw invalidParameter(`Invalid ${kind} for schema attribute ${name}`)
    return Number(bound)
  })
}
