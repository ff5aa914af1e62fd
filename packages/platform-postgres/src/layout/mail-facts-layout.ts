/** Adds what is known about the client and the sender of a mail, as JSON. */
export const mailFactsLayout = 'alter table mails add column facts text'
