import { attribute, escapeXml, startTags, unescapeXml } from '../ooxml/xmlText.ts';
import { type Growth, grownAreas, grownFormulaXml } from './growth.ts';

/** Names whose areas grow with the log; the areas of all others only move. */
const GROWING_NAMES = /^_xlnm\.(?:_FilterDatabase|Print_Area)$/;

/** Updates the names that a workbook defines. */
export function grownNames(xml: string, growth: Growth): string {
  let text = '';
  let from = 0;
  for (const { tag, end } of startTags(xml, ['definedName'])) {
    const close = xml.indexOf('<', end);
    if (tag.endsWith('/>') || close < 0) continue;
    const own = xml.slice(end, close);
    text += xml.slice(from, end);
    text += GROWING_NAMES.test(attribute(tag, 'name') ?? '')
      ? grownArea(own, growth)
      : grownFormulaXml(own, '', growth);
    from = close;
  }
  return text + xml.slice(from);
}

function grownArea(text: string, growth: Growth): string {
  const plain = unescapeXml(text);
  const grown = grownAreas(plain, growth);
  return grown === plain ? text : escapeXml(grown);
}
