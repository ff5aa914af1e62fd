import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import { contentObjects, objectBounds } from './content-objects.ts'
import { type MessagesContext, messagesApi } from './messages.ts'
import { objectsApi } from './objects.ts'

/** The answers of the message API, and of the objects with which clients send new content. `clear` deletes the objects. */
export function messageApis(
  { maxSize, rules }: Pick<MailSettings, 'maxSize' | 'rules'>,
  of: Pick<MessagesContext, 'mail' | 'isFor'>,
  { machineClock, random, notice }: Pick<SourceContext, 'machineClock' | 'random' | 'notice'>,
) {
  const objects = contentObjects(objectBounds(maxSize), machineClock)
  const functions = new Set(rules.map(({ functionName }) => functionName))
  return {
    messages: messagesApi({ ...of, objects, maxSize, random, notice }),
    clear: objects.clear,
    objects: objectsApi({ objects, maxSize, isOfMail: name => functions.has(name), notice }),
  }
}
