import type { Mutant } from './mutants.ts';

/** A mutant that was read and changes nothing that can be noticed. */
export type Equivalent = {
  file: string;
  /** The line of the source and what the mutant makes of it, as the driver prints them. */
  line: string;
  becomes: string;
  reason: string;
};

/** Survivors that nothing can notice, each with the reason. One that fits no mutant any more fails a test. */
export const EQUIVALENT: Equivalent[] = [
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'while (rest !== 0) {',
    becomes: 'while (false) {',
    reason: 'more words are compared in full, to the same end',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'count += 1;',
    becomes: 'count += 0;',
    reason: 'more words are compared in full, to the same end',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (looked.size < 5000) looked.set(text, found);',
    becomes: 'if (looked.size < 10000) looked.set(text, found);',
    reason: 'bounds the memory for headings, which are looked up again where they are not kept',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (looked.size < 5000) looked.set(text, found);',
    becomes: 'if (looked.size < 2500) looked.set(text, found);',
    reason: 'bounds the memory for headings, which are looked up again where they are not kept',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])',
    becomes: 'if (row > 0 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])',
    reason: 'before the first letter there is none to swap with',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])',
    becomes:
      'if (row > 1 && column >= 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])',
    reason: 'before the first letter there is none to swap with',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'for (let row = 1; row <= left.length; row += 1) {',
    becomes: 'for (let row = 0; row <= left.length; row += 1) {',
    reason: 'a row before the first letter is the one that the computation begins with',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (least > limit && leastBefore > limit) return limit + 1;',
    becomes: 'if (least > limit && leastBefore >= limit) return limit + 1;',
    reason: 'beyond the limit any number says the same',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (whole?.score === 1) return { ...whole, phase: group };',
    becomes: 'if (whole?.score === 2) return { ...whole, phase: group };',
    reason: 'of the words that begin with a phase the rest alone stands for nothing',
  },
  {
    file: 'bot/engine/hazards/reading/markdown.ts',
    line: 'if (!DASHES.test(text)) return [];',
    becomes: 'if (false) return [];',
    reason: 'a text without dashes has no line of them, and so no table',
  },
  {
    file: 'bot/engine/hazards/reading/legacyWorkbook.ts',
    line: "if (address.startsWith('!')) continue;",
    becomes: "if (address.endsWith('!')) continue;",
    reason: 'what a sheet says of itself has neither a value nor a formula, and is passed over as a blank cell',
  },
  {
    file: 'bot/engine/hazards/reading/decodeText.ts',
    line: 'const byte = bytes[at] ?? 0;',
    becomes: 'const byte = bytes[at] ?? 1;',
    reason: 'each place up to the length has a byte',
  },
  {
    file: 'bot/engine/hazards/reading/html.ts',
    line: 'const tag = cell.slice(0, Math.min(Math.max(0, cut), LONGEST_TAG));',
    becomes: 'const tag = cell.slice(0, Math.min(Math.max(1, cut), LONGEST_TAG));',
    reason: 'one character is too short to name a span',
  },
  {
    file: 'bot/engine/hazards/reading/headerWords.ts',
    line: 'return PHASES.find(([pattern]) => pattern.test(header) && header.length > 1)?.[1] ?? null;',
    becomes: 'return PHASES.find(([pattern]) => pattern.test(header) && header.length > 2)?.[1] ?? null;',
    reason: 'no word of a phase has two letters',
  },
  {
    file: 'bot/engine/hazards/reading/headerWords.ts',
    line: 'if (trailing?.[1])',
    becomes: 'if (trailing?.[0])',
    reason: 'where the pattern fits, there is something before the phase',
  },
  {
    file: 'bot/engine/hazards/reading/readHazards.ts',
    line: 'if (names.size > 50_000) names.clear();',
    becomes: 'if (names.size > 100000) names.clear();',
    reason: 'bounds the memory for names, which are computed again where they are not kept',
  },
  {
    file: 'bot/engine/hazards/reading/readHazards.ts',
    line: 'if (names.size > 50_000) names.clear();',
    becomes: 'if (names.size > 25000) names.clear();',
    reason: 'bounds the memory for names, which are computed again where they are not kept',
  },
  {
    file: 'bot/engine/hazards/reading/readHazards.ts',
    line: 'if (/\\p{L}{5}/u.test(text) && !/applicable/i.test(text)) return false;',
    becomes: 'if (false) return false;',
    reason: 'a word of five letters is none of those that say nothing, which are compared below',
  },
  {
    file: 'bot/engine/hazards/reading/readingBudget.ts',
    line: 'this.#sinceLook = 0;',
    becomes: 'this.#sinceLook = 1;',
    reason: 'the clock is looked at a microsecond of work sooner',
  },
  {
    file: 'bot/engine/hazards/reading/threadClock.ts',
    line: 'return nanoseconds > 0 ? nanoseconds / 1e6 : null;',
    becomes: 'return nanoseconds >= 0 ? nanoseconds / 1e6 : null;',
    reason: 'a thread that asks has used some',
  },
  {
    file: 'bot/engine/hazards/reading/csv.ts',
    line: 'while (end < text.length && text.charCodeAt(end) === 32) end += 1;',
    becomes: 'while (end <= text.length && text.charCodeAt(end) === 32) end += 1;',
    reason: 'behind the end of the text there is no space',
  },
  {
    file: 'bot/engine/hazards/reading/csv.ts',
    line: 'const [columns = 1, share = 0] =',
    becomes: 'const [columns = 1, share = 1] =',
    reason: 'where it is taken there is one column, and no score is computed',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (cost < least) least = cost;',
    becomes: 'if (cost <= least) least = cost;',
    reason: 'the same number is set once more',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'return previous[right.length] ?? limit + 1;',
    becomes: 'return previous[right.length];',
    reason: 'the row has a place for each letter, and one more',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'const last = best.headerRows.at(-1) ?? 0;',
    becomes: 'const last = best.headerRows.at(-1);',
    reason: 'a table that was found has a heading row',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'const last = best.headerRows.at(-1) ?? 0;',
    becomes: 'const last = best.headerRows.at(-1) ?? 1;',
    reason: 'a table that was found has a heading row',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'if (best && row > (best.headerRows.at(-1) ?? 0) + ROWS_AFTER_TABLE) break;',
    becomes: 'if (best && row > (best.headerRows.at(-1) ?? 1) + ROWS_AFTER_TABLE) break;',
    reason: 'a table that was found has a heading row',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'if (best && row > (best.headerRows.at(-1) ?? 0) + ROWS_AFTER_TABLE) break;',
    becomes: 'if (best && row > (best.headerRows.at(-1)) + ROWS_AFTER_TABLE) break;',
    reason: 'a table that was found has a heading row',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'for (let column = 1; column < width; column += 1) {',
    becomes: 'for (let column = 1; column <= width; column += 1) {',
    reason: 'the column behind the last has no cells, and no heading comes of it',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'for (const candidate of [...candidates].sort((a, b) => b.match.score - a.match.score || turnOf(a) - turnOf(b))) {',
    becomes:
      'for (const candidate of [...candidates].sort((a, b) => b.match.score - a.match.score || turnOf(a) + turnOf(b))) {',
    reason: 'candidates come from left to right, so the sign of the later one decides, as it does with the difference',
  },
  {
    file: 'bot/engine/hazards/reading/findTable.ts',
    line: 'if (grid.rows.some((row, index) => index > last && row && row.filter(Boolean).length > 1)) best.score += 2;',
    becomes: 'if (grid.rows.some((row, index) => index > last && row.filter(Boolean).length > 1)) best.score += 2;',
    reason: 'rows that are absent are passed over by the loop',
  },
  {
    file: 'bot/engine/hazards/reading/dataRows.ts',
    line: 'if (own || masters.size === 0) return own;',
    becomes: 'if (own || masters.size === 1) return own;',
    reason: 'a merged range of one cell answers with itself',
  },
  {
    file: 'bot/engine/hazards/reading/readHazards.ts',
    line: 'if (known !== undefined) return known;',
    becomes: 'if (false) return known;',
    reason: 'a name that is not kept is computed again, and is the same',
  },
  {
    file: 'bot/engine/hazards/reading/csv.ts',
    line: 'end < length && character !== code && character !== 10 && character !== 13;',
    becomes: 'end <= length && character !== code && character !== 10 && character !== 13;',
    reason: 'one step behind the end of the text the field is the same, and the reading ends there',
  },
  {
    file: 'bot/engine/hazards/reading/openFile.ts',
    line: 'for (let at = 0; at < sheet.length && count <= limit; at += 1) {',
    becomes: 'for (let at = 1; at < sheet.length && count <= limit; at += 1) {',
    reason: 'a sheet begins with its root, so no cell stands at its first byte',
  },
  {
    file: 'bot/engine/hazards/reading/matchHeader.ts',
    line: 'if (countBits(letters ^ own) > 2 * limit) continue;',
    becomes: 'if (countBits(letters ^ own) > 3 * limit) continue;',
    reason: 'more words are compared in full, to the same end',
  },
  {
    file: 'bot/engine/hazards/tickets/readTickets.ts',
    line: 'for (let row = header.row + 1; row < grid.rows.length; row += 1) {',
    becomes: 'for (let row = header.row + 1; row <= grid.rows.length; row += 1) {',
    reason: 'the row after the last has no cells and is passed over',
  },
  {
    file: 'bot/engine/hazards/tickets/ranking.ts',
    line: 'const start = starts[id] ?? 0;',
    becomes: 'const start = starts[id];',
    reason: 'a term that is known has postings',
  },
  {
    file: 'bot/engine/hazards/tickets/ranking.ts',
    line: 'if (gain >= TELLING) hits[document] = (hits[document] ?? 0) + 1;',
    becomes: 'if (gain >= TELLING) hits[document] = (hits[document] ?? 1) + 1;',
    reason: 'each document has a place in the array of its hits',
  },
  {
    file: 'bot/engine/hazards/tickets/ranking.ts',
    line: 'scores[document] = (scores[document] ?? 0) + gain;',
    becomes: 'scores[document] = (scores[document]) + gain;',
    reason: 'each document has a place in the array of the scores',
  },
  {
    file: 'bot/engine/accounts/signIn.ts',
    line: "if (!(await fitsPassword(user?.passwordHash ?? null, password)) || !user) throw new AppError('bad_credentials');",
    becomes: "if (!(await fitsPassword(user?.passwordHash ?? null, password))) throw new AppError('bad_credentials');",
    reason: 'no password fits nobody’s hash; the types alone want it said',
  },
  {
    file: 'bot/engine/accounts/adminFigures.ts',
    line: 'const subscriptions = await Subscription.find({ accountId: { $in: [...accountOf.values()] } }).lean();',
    becomes: 'const subscriptions = await Subscription.find({ }).lean();',
    reason: 'those of other accounts are read too, and looked for by nobody',
  },
  {
    file: 'bot/engine/accounts/adminFigures.ts',
    line: 'const accountId = accountOf.get(user._id) ?? -1;',
    becomes: 'const accountId = accountOf.get(user._id);',
    reason: 'neither is an account',
  },
  {
    file: 'bot/engine/accounts/adminFigures.ts',
    line: 'const accountId = accountOf.get(user._id) ?? -1;',
    becomes: 'const accountId = accountOf.get(user._id) ?? -0;',
    reason: 'neither is an account',
  },
  {
    file: 'bot/engine/accounts/adminFigures.ts',
    line: 'const accountId = accountOf.get(user._id) ?? -1;',
    becomes: 'const accountId = accountOf.get(user._id) ?? -2;',
    reason: 'neither is an account',
  },
  {
    file: 'bot/engine/accounts/passwords.ts',
    line: 'return fits && passwordHash !== null;',
    becomes: 'return fits;',
    reason: 'no password fits the hash of what nobody knows',
  },
  {
    file: 'bot/engine/accounts/matchIdentity.ts',
    line: '{ $set: change, $setOnInsert: { _id: new Types.ObjectId(), accountId, channel, platformId } },',
    becomes: '{ $set: change, $setOnInsert: { accountId, channel, platformId } },',
    reason: 'the store gives an id of its own',
  },
  {
    file: 'bot/engine/accounts/trial.ts',
    line: "if ((await readTrial(accountId)).subscriptionStatus !== 'expired') return;",
    becomes: 'if (false) return;',
    reason: 'the store is asked each time, and says the same',
  },
  {
    file: 'bot/engine/accounts/integrations.ts',
    line: '{ accountId, integrationId },',
    becomes: '{ integrationId },',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/accounts/engineStatus.ts',
    line: 'Conversation.countDocuments({ accountId }),',
    becomes: 'Conversation.countDocuments({ }),',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/accounts/trial.ts',
    line: "const readSubscription = rememberPerAccount(['account'], (accountId) => Subscription.findOne({ accountId }).lean());",
    becomes:
      "const readSubscription = rememberPerAccount(['account'], (accountId) => Subscription.findOne({ }).lean());",
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/documents/sandbox.ts',
    line: "const kept = await StoredFile.find({ accountId, kind: 'document' }, { size: 1 }).lean();",
    becomes: "const kept = await StoredFile.find({ kind: 'document' }, { size: 1 }).lean();",
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/documents/sandbox.ts',
    line: "return (await StoredFile.find({ accountId, kind: 'document' }).sort({ createdAt: -1, _id: -1 }).lean()) as FileRow[];",
    becomes:
      "return (await StoredFile.find({ kind: 'document' }).sort({ createdAt: -1, _id: -1 }).lean()) as FileRow[];",
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/documents/sandbox.ts',
    line: "const row = await StoredFile.findOne({ accountId, _id: new Types.ObjectId(id), kind: 'document' }).lean();",
    becomes: "const row = await StoredFile.findOne({ _id: new Types.ObjectId(id), kind: 'document' }).lean();",
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/documents/sandbox.ts',
    line: 'if (!(await StoredFile.exists({ accountId, key }))) await requireRoom(accountId, given.bytes.byteLength);',
    becomes: 'if (!(await StoredFile.exists({ key }))) await requireRoom(accountId, given.bytes.byteLength);',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/documents/sandbox.ts',
    line: 'if (full && !(await StoredFile.exists({ accountId, key }))) return false;',
    becomes: 'if (full && !(await StoredFile.exists({ key }))) return false;',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/llm/model.ts',
    line: '...(signal ? { abortSignal: signal } : {}),',
    becomes: '...(true ? { abortSignal: signal } : {}),',
    reason: 'a signal that is undefined is none to the SDK; the types alone want it left out',
  },
  {
    file: 'bot/engine/mail/sendMail.ts',
    line: "transport ??= import('nodemailer').then(({ createTransport }) => createTransport(env.SMTP_URL) as Transport);",
    becomes:
      "transport = import('nodemailer').then(({ createTransport }) => createTransport(env.SMTP_URL) as Transport);",
    reason: 'a transport without a pool opens a connection for each mail, however often it is made',
  },
  {
    file: 'bot/engine/mail/sendMail.ts',
    line: 'const { code, responseCode = 0, command } = error as { code?: string; responseCode?: number; command?: string };',
    becomes:
      'const { code, responseCode = 1, command } = error as { code?: string; responseCode?: number; command?: string };',
    reason: 'either is below every code of a refusal',
  },
  {
    file: 'bot/engine/hazards/tickets/words.ts',
    line: "return plain.includes('_') ? plain.replaceAll('_', ' ') : plain;",
    becomes: "return true ? plain.replaceAll('_', ' ') : plain;",
    reason: 'a text without that mark is replaced by itself',
  },
  {
    file: 'bot/engine/hazards/tickets/coverage.ts',
    line: 'if (byId.size > 0)',
    becomes: 'if (byId.size >= 0)',
    reason: 'in an empty map nothing is found: the texts are read for nothing, no more',
  },
  {
    file: 'bot/engine/hazards/tickets/coverage.ts',
    line: 'entryTerms.set(entry.id, about);',
    becomes: '',
    reason: 'the terms of an entry are computed again, and are the same',
  },
  {
    file: 'bot/engine/hazards/tickets/coverage.ts',
    line: 'verdict: { ...verdict, possibleHazardIds: matches.flatMap((match) => hazards[match.at]?.id ?? []) },',
    becomes: 'verdict: { ...verdict, possibleHazardIds: matches.flatMap((match) => hazards[match.at]?.id) },',
    reason: 'what matches is found in the list of hazards by its place, so there always is one',
  },
  {
    file: 'bot/engine/hazards/merge/roomBelow.ts',
    line: 'for (let row = lastRow + 1; row < rows.length; row += 1) {',
    becomes: 'for (let row = lastRow + 1; row <= rows.length; row += 1) {',
    reason: 'the row after the last has no cells, which are looked for and not found',
  },
  {
    file: 'bot/engine/hazards/merge/addChangeLog.ts',
    line: "const neighbour = readPart(parts, workbook.sheets[0]?.partName ?? '')?.slice(0, 4000) ?? '';",
    becomes: "const neighbour = readPart(parts, workbook.sheets[0]?.partName ?? '')?.slice(0, 8000) ?? '';",
    reason: 'how much of the sheet’s head is read, of which the first few hundred characters count',
  },
  {
    file: 'bot/engine/hazards/merge/statusList.ts',
    line: "const tail = sheetXml.slice(sheetXml.lastIndexOf('</sheetData>') + 1);",
    becomes: "const tail = sheetXml.slice(sheetXml.lastIndexOf('</sheetData>') + 2);",
    reason: 'the rest of the closing tag that is searched too is no element',
  },
  {
    file: 'bot/engine/hazards/merge/sheetRows.ts',
    line: 'if (tagEnd < 0 || (closing < 0 && xml.charCodeAt(tagEnd - 1) !== 47)) break;',
    becomes: 'if (tagEnd < 0 || (closing < 1 && xml.charCodeAt(tagEnd - 1) !== 47)) break;',
    reason: 'a closing tag comes after the opening one, so never at 0',
  },
  {
    file: 'bot/engine/hazards/merge/newWorkbook.ts',
    line: 'const header = headerRows.at(-1) ?? 1;',
    becomes: 'const header = headerRows.at(-1) ?? 2;',
    reason: 'a table that was found has a heading row',
  },
  {
    file: 'bot/engine/hazards/merge/newWorkbook.ts',
    line: 'const row = log.table.grid.rows[log.table.headerRows[0] ?? 1] ?? [];',
    becomes: 'const row = log.table.grid.rows[log.table.headerRows[0] ?? 2] ?? [];',
    reason: 'a table that was found has a heading row',
  },
  {
    file: 'bot/engine/hazards/merge/newWorkbook.ts',
    line: 'for (let at = column; at >= 1; at -= 1) {',
    becomes: 'for (let at = column; at >= 0; at -= 1) {',
    reason: 'columns count from 1: nothing stands in column 0',
  },
  {
    file: 'bot/engine/hazards/merge/addChangeLog.ts',
    line: 'if (!xml || !stylesPart || !fonts || !formats) return { text: 0, heading: 0 };',
    becomes: 'if (!xml || !fonts || !formats) return { text: 0, heading: 0 };',
    reason: 'there is no text of the styles without a part of that name',
  },
  {
    file: 'bot/engine/hazards/findings/residual.ts',
    line: 'if (initial === null || residual === null || residual <= initial) return [];',
    becomes: 'if (initial === null || residual <= initial) return [];',
    reason: 'null counts as 0 in a comparison, and no risk is below 0',
  },
  {
    file: 'bot/engine/hazards/findings/safetyReport.ts',
    line: 'if (!match?.[1]) return null;',
    becomes: 'if (!match?.[0]) return null;',
    reason: 'the pattern has no match without its first group',
  },
  {
    file: 'bot/engine/interrupts/cancelInterrupts.ts',
    line: "const pending = (await Interrupt.find({ runId, status: 'pending' }).lean()) as InterruptRow[];",
    becomes: 'const pending = (await Interrupt.find({ runId, }).lean()) as InterruptRow[];',
    reason: 'what is withdrawn is asked to be pending once more when it is written',
  },
  {
    file: 'models/store/context.ts',
    line: "return 'accountId' in context ? { accountId: context.accountId } : {};",
    becomes: 'return true ? { accountId: context.accountId } : {};',
    reason: 'across accounts it has no account, and undefined is what everybody looks for',
  },
  {
    file: 'models/store/encrypted.ts',
    line: 'if (!current) {',
    becomes: 'if (true) {',
    reason: 'the key is computed again, and is the same',
  },
  {
    file: 'models/store/accountRows.ts',
    line: ".filter((name) => !name.startsWith('system.') && !name.startsWith('files.'))",
    becomes: ".filter((name) => !name.startsWith('files.'))",
    reason: 'MongoDB’s own collections, which the embedded store does not have, hold nothing of an account',
  },
  {
    file: 'models/store/accountRows.ts',
    line: ".filter((name) => !name.startsWith('system.') && !name.startsWith('files.'))",
    becomes: ".filter((name) => !name.endsWith('system.') && !name.startsWith('files.'))",
    reason: 'MongoDB’s own collections, which the embedded store does not have, hold nothing of an account',
  },
  {
    file: 'models/store/copy.ts',
    line: 'const AT_ONCE = 500;',
    becomes: 'const AT_ONCE = 1000;',
    reason: 'how many are written at one time',
  },
  {
    file: 'models/store/copy.ts',
    line: 'const AT_ONCE = 500;',
    becomes: 'const AT_ONCE = 250;',
    reason: 'how many are written at one time',
  },
  {
    file: 'api/middleware/precompressed.ts',
    line: 'twins.set(path, known);',
    becomes: '',
    reason: 'the disk is asked again, and says the same',
  },
  {
    file: 'bot/engine/workflows/cancelRun.ts',
    line: 'const conversation = await Conversation.findOne({ accountId, key: conversationKey(address) }).lean();',
    becomes: 'const conversation = await Conversation.findOne({ key: conversationKey(address) }).lean();',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'models/store/signals.ts',
    line: '.limit(1000)',
    becomes: '.limit(2000)',
    reason: 'how many are read at one time: the rest comes half a second later',
  },
  {
    file: 'models/store/appendOnly.ts',
    line: 'const found = (await model.find({ accountId, key: { $in: keys } }).lean()) as unknown as Row[];',
    becomes: 'const found = (await model.find({ key: { $in: keys } }).lean()) as unknown as Row[];',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'models/store/appendOnly.ts',
    line: 'const found = (await model.find({ accountId, key: { $in: keys } }).lean()) as unknown as Row[];',
    becomes: 'const found = (await model.find({ accountId, }).lean()) as unknown as Row[];',
    reason: 'rows of other keys are read, and looked for by nobody',
  },
  {
    file: 'models/store/appendOnly.ts',
    line: 'if (known) heads.delete(accountId);',
    becomes: 'if (true) heads.delete(accountId);',
    reason: 'a head that is not remembered is read',
  },
  {
    file: 'models/store/appendOnly.ts',
    line: 'queues.delete(accountId);',
    becomes: '',
    reason: 'the queue that stays is empty',
  },
  {
    file: 'models/store/tenant.ts',
    line: "typeof part === 'object' && part !== null && 'accountId' in part ? [part.accountId] : [],",
    becomes: "part !== null && 'accountId' in part ? [part.accountId] : [],",
    reason: 'what an operator of an update holds is an object: anything else is refused either way',
  },
  {
    file: 'bot/engine/interrupts/reviewRows.ts',
    line: 'await saveDraft(who, standing.id, rows, standing.draft?.version ?? 0);',
    becomes: 'await saveDraft(who, standing.id, rows, standing.draft?.version);',
    reason: 'a review has a draft, and a draft a version',
  },
  {
    file: 'models/store/revisions.ts',
    line: 'changes.setMaxListeners(50);',
    becomes: 'changes.setMaxListeners(51);',
    reason: 'above it there is a warning in the log, no more',
  },
  {
    file: 'models/store/appendOnly.ts',
    line: 'const still = refused.filter(({ one }) => left.has(one));',
    becomes: 'const still = refused;',
    reason: 'who has its row keeps it: a promise is settled once',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: 'Subscription.findOne({ accountId }).lean(),',
    becomes: 'Subscription.findOne({ }).lean(),',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: 'const since = new Date(now.getTime() - DAYS * 86_400_000);',
    becomes: 'const since = new Date(now.getTime() - DAYS * 172800000);',
    reason: 'days that are not shown are left out again',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: 'const newest = rows.length >= MOVEMENTS ? rows.slice(0, MOVEMENTS) : await newestRows(accountId);',
    becomes: 'const newest = rows.length > MOVEMENTS ? rows.slice(0, MOVEMENTS) : await newestRows(accountId);',
    reason: 'the same rows are read once more',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: "if (kind !== 'grant' && used.has(day)) used.set(day, (used.get(day) ?? 0) - amount);",
    becomes: "if (kind !== 'grant' && used.has(day)) used.set(day, (used.get(day)) - amount);",
    reason: 'a day that is there has a number',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: "if (kind !== 'grant' && used.has(day)) used.set(day, (used.get(day) ?? 0) - amount);",
    becomes: "if (kind !== 'grant' && used.has(day)) used.set(day, (used.get(day) ?? 1) - amount);",
    reason: 'a day that is there has a number',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: 'LedgerEntry.find({ accountId, createdAt: { $gte: since } })',
    becomes: 'LedgerEntry.find({ accountId, })',
    reason: 'days that are not shown are left out again',
  },
  {
    file: 'bot/engine/billing/readSummary.ts',
    line: 'const newestRows = (accountId: number) => LedgerEntry.find({ accountId }).sort({ seq: -1 }).limit(MOVEMENTS).lean();',
    becomes:
      'const newestRows = (accountId: number) => LedgerEntry.find({ }).sort({ seq: -1 }).limit(MOVEMENTS).lean();',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/billing/credits.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    line: 'return (await LedgerEntry.exists({ accountId, key: `run:${runId}:reserve` })) !== null;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    becomes: 'return (await LedgerEntry.exists({ key: `run:${runId}:reserve` })) !== null;',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/automation/jobs.ts',
    line: 'const row = (await AutomationJob.findOne({ _id, accountId }).lean()) as AutomationJobRow | null;',
    becomes: 'const row = (await AutomationJob.findOne({ _id, }).lean()) as AutomationJobRow | null;',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/automation/jobs.ts',
    line: "const { deletedCount } = await changing(accountId, ['automation'], () => AutomationJob.deleteOne({ _id, accountId }));",
    becomes:
      "const { deletedCount } = await changing(accountId, ['automation'], () => AutomationJob.deleteOne({ _id, }));",
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/automation/jobs.ts',
    line: 'AutomationJob.find({ accountId }).sort({ _id: 1 }).lean() as Promise<AutomationJobRow[]>;',
    becomes: 'AutomationJob.find({ }).sort({ _id: 1 }).lean() as Promise<AutomationJobRow[]>;',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/automation/jobs.ts',
    line: 'const standing = await AutomationJob.findOne({ accountId, sameAs }).lean();',
    becomes: 'const standing = await AutomationJob.findOne({ sameAs }).lean();',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/automation/jobs.ts',
    line: '{ _id, accountId },',
    becomes: '{ _id, },',
    reason: 'every query is scoped to the account of the work at hand, which is this one',
  },
  {
    file: 'bot/engine/turns/conversations.ts',
    line: 'if (known.size > 50_000) known.clear();',
    becomes: 'if (false) known.clear();',
    reason: 'bounds the memory for ids, which are read from the store where they are not kept',
  },
  {
    file: 'bot/engine/turns/conversations.ts',
    line: 'if (known.size > 50_000) known.clear();',
    becomes: 'if (known.size > 25000) known.clear();',
    reason: 'bounds the memory for ids, which are read from the store where they are not kept',
  },
  {
    file: 'bot/engine/turns/order.ts',
    line: 'const isAlone = swept && !env.MONGODB_URI && (troubled.get(String(lineOf(conversation))) ?? 0) < Date.now();',
    becomes:
      'const isAlone = swept && !env.MONGODB_URI && (troubled.get(String(lineOf(conversation))) ?? 1) < Date.now();',
    reason: 'both moments are in 1970',
  },
  {
    file: 'bot/engine/turns/answerInWords.ts',
    line: 'if (noted.modifiedCount === 1) return interruptId;',
    becomes: 'if (noted.modifiedCount === 2) return interruptId;',
    reason: 'what was just written is read again, and is the same',
  },
  {
    file: 'bot/engine/turns/finishTurns.ts',
    line: 'if (turns.length === 0) return;',
    becomes: 'if (false) return;',
    reason: 'a write for no turns at all changes none',
  },
  {
    file: 'api/middleware/rememberSessions.ts',
    line: 'let writes = 0;',
    becomes: 'let writes = 1;',
    reason: 'the number is compared with itself',
  },
  {
    file: 'api/middleware/session.ts',
    line: "const [, bearer] = /^Bearer (\\S+)$/.exec(headers.authorization ?? '') ?? [];",
    becomes: 'const [, bearer] = /^Bearer (\\S+)$/.exec(headers.authorization) ?? [];',
    reason: 'nothing is read as the word undefined, which is no token',
  },
  {
    file: 'api/middleware/bind.ts',
    line: "if (it.policy !== 'public' && who) requireShown(request, who);",
    becomes: "if (it.policy !== 'public') requireShown(request, who);",
    reason: 'nobody is let as far as this by any other policy',
  },
  {
    file: 'api/middleware/precompressed.ts',
    line: 'if (known === undefined) {',
    becomes: 'if (true) {',
    reason: 'the disk is asked again, and says the same',
  },
  {
    file: 'api/middleware/errors.ts',
    line: 'const { type, status = 0 } = error as { type?: string; status?: number };',
    becomes: 'const { type, status = 1 } = error as { type?: string; status?: number };',
    reason: 'neither is a status that a library gives',
  },
];

export const isEntryOf = ({ file, line, becomes }: Equivalent, mutant: Mutant) =>
  mutant.file === file && mutant.before === line && mutant.becomes === becomes;
