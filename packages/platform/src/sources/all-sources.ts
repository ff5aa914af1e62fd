import type { Settings } from '../config/settings.ts'
import type { DataDirectory } from '../data-directory/data-directory.ts'
import { loadBalancer } from './load-balancer/load-balancer.ts'
import { type Mail, mail, noMail } from './mail/mail.ts'
import { queues } from './queue/queues.ts'
import type { Source, SourceContext } from './source.ts'

/** The sources that a configuration asks for, and what is known of its mails. */
export function allSources(
  settings: Settings,
  directory: DataDirectory,
  context: SourceContext,
): { readonly sources: readonly Source[]; readonly mail: Mail } {
  const withQueues = settings.queues.length > 0 || settings.queueListener !== undefined
  const post = settings.mail && mail(settings.mail, directory, context)
  return {
    sources: [
      ...settings.loadBalancers.map(each => loadBalancer(each, context)),
      ...(withQueues ? [queues(settings, directory, context)] : []),
      ...(post === undefined ? [] : [post]),
    ],
    mail: post?.access ?? noMail,
  }
}
