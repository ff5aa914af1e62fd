/**
 * What lists and maps are called in the query protocol, where that is not the singular of their name. `*` stands for the
 * operation.
 */
const irregular: { readonly [field: string]: string } = {
  Entries: '*RequestEntry',
  Successful: '*ResultEntry',
  Failed: 'BatchResultErrorEntry',
  Results: '*ResultEntry',
  Actions: 'ActionName',
  queueUrls: 'QueueUrl',
  tags: 'Tag',
}

/**
 * The name under which the query protocol repeats each member of a list or map: `Attribute.1.Name` in a request,
 * `<Attribute>` in an answer, for what the JSON protocol calls `Attributes`.
 */
export function memberName(operation: string, field: string): string {
  return Object.hasOwn(irregular, field) ? irregular[field]!.replace('*', operation) : field.replace(/s$/, '')
}

/** What the query protocol calls the key in each member of a map. The value is `Value` in all of them. */
export function keyName(field: string): string {
  return field.toLowerCase() === 'tags' ? 'Key' : 'Name'
}
