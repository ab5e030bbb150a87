import { hazardRow, MATRIX_SHEET, makePackage, type PackageSpec, WIDE_HEADERS } from './hazardLog.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument';

/** The relations of a part: each a kind, a target and, for a place outside of the package, its mode. */
export function makeRelations(...relations: [kind: string, target: string, mode?: 'External'][]): string {
  const list = relations.map(
    ([kind, target, mode], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`;
}

const anchor = (from: number, to: number, content: string) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${from}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${to}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>${content}<xdr:clientData/></xdr:twoCellAnchor>`;
const CHART_NAMESPACE = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}">${anchor(12, 20, `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${CHART_NAMESPACE}"><c:chart xmlns:c="${CHART_NAMESPACE}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame>`)}</xdr:wsDr>`;
const CHART = `<c:chartSpace xmlns:c="${CHART_NAMESPACE}"><c:chart><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>'Hazard Log'!$V$9:$V$10</c:f></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>`;
const BOX = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/><v:shape id="_x0000_s1025" type="#_x0000_t202" style="position:absolute"><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>1, 15, 3, 10, 3, 15, 7, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>3</x:Row><x:Column>0</x:Column></x:ClientData></v:shape></xml>`;

/** What every sheet of {@link makeAnchoredLog} has around its cells, in the order of the schema. */
const AROUND = [
  '<autoFilter ref="A1:S3"/>',
  '<mergeCells count="1"><mergeCell ref="A5:D5"/></mergeCells>',
  '<conditionalFormatting sqref="I2:I3 P2:P3"><cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>3</formula></cfRule></conditionalFormatting>',
  '<dataValidations count="1"><dataValidation type="list" allowBlank="1" sqref="G2:G3"><formula1>$U$9:$U$10</formula1></dataValidation></dataValidations>',
  `<hyperlinks><hyperlink ref="A5" location="'Hazard Log'!C4" display="Total"/><hyperlink ref="U5" r:id="rId1"/><hyperlink ref="V5" location="Total" display="Total"/></hyperlinks>`,
  '<rowBreaks count="1" manualBreakCount="1"><brk id="5" max="16383" man="1"/></rowBreaks>',
  '<drawing r:id="rId2"/><legacyDrawing r:id="rId3"/><tableParts count="1"><tablePart r:id="rId5"/></tableParts>',
].join('');

/** A row with words in columns U and V, to the right of the log's nineteen. */
const beside = (...words: [string, string | number]) => [...Array.from({ length: 20 }, () => null), ...words];

/**
 * A faultless workbook whose log has rows and all kinds of anchored content below it: a total in row 4, a note in row
 * 5 (merged, with links), a table of words in U8 to V10, a chart over rows 13 to 21 that shows it, and a comment at
 * A4; a second sheet refers to them by formula, link and name.
 */
export function makeAnchoredLog(change: Partial<PackageSpec> = {}): Uint8Array<ArrayBuffer> {
  const override = (part: string, type: string) => `<Override PartName="/${part}" ContentType="${TYPE}.${type}+xml"/>`;
  return makePackage({
    sheets: [
      {
        name: 'Hazard Log',
        rows: [
          WIDE_HEADERS,
          hazardRow({ id: 'HAZ01', severity: 'Minor', risk: 1 }),
          hazardRow({ id: 'HAZ02', name: 'Second', severity: 'Minor', risk: 1 }),
          ['Total', null, { formula: 'COUNTA(A2:A3)', result: 2 }],
          ['Note: reviewed', ...beside('Site', 'Up').slice(1)],
          [],
          [],
          beside('Word', 'Figure'),
          beside('Minor', 1),
          beside('Major', 4),
        ],
        after: AROUND,
      },
      MATRIX_SHEET,
      {
        name: 'Summary',
        rows: [
          ['Hazards', { formula: "'Hazard Log'!C4+SUM('Hazard Log'!$I$2:$I$3)", result: 4 }],
          ['Rows', { formula: "COUNTA('Hazard Log'!$A$1:$A$1048576)", result: 10 }],
          ['Link', { formula: `HYPERLINK("#'Hazard Log'!U9","Words")`, result: 'Words' }],
        ],
        after: `<hyperlinks><hyperlink ref="A1" location="'Hazard Log'!A4:C4" display="Hazards"/></hyperlinks>`,
      },
    ],
    definedNames: `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'Hazard Log'!$A$1:$S$3</definedName><definedName name="Total">'Hazard Log'!$C$4</definedName><definedName name="Words">'Hazard Log'!$U$9:$U$1048576</definedName>`,
    parts: {
      'xl/worksheets/_rels/sheet1.xml.rels': makeRelations(
        ['hyperlink', 'https://example.org/', 'External'],
        ['drawing', '../drawings/drawing1.xml'],
        ['vmlDrawing', '../drawings/vmlDrawing1.vml'],
        ['comments', '../comments1.xml'],
        ['table', '../tables/table1.xml'],
      ),
      'xl/drawings/drawing1.xml': DRAWING,
      'xl/drawings/_rels/drawing1.xml.rels': makeRelations(['chart', '../charts/chart1.xml']),
      'xl/drawings/vmlDrawing1.vml': BOX,
      'xl/charts/chart1.xml': CHART,
      'xl/comments1.xml': `<comments xmlns="${MAIN}"><authors><author>Reviewer</author></authors><commentList><comment ref="A4" authorId="0"><text><r><t>Counted by hand</t></r></text></comment></commentList></comments>`,
      'xl/tables/table1.xml': `<table xmlns="${MAIN}" id="1" name="Scale" displayName="Scale" ref="U8:V10"><autoFilter ref="U8:V10"/><tableColumns count="2"><tableColumn id="1" name="Word"/><tableColumn id="2" name="Figure"/></tableColumns></table>`,
      'xl/calcChain.xml': `<calcChain xmlns="${MAIN}"><c r="C4" i="1"/><c r="B1" i="3"/><c r="B2"/><c r="B3"/></calcChain>`,
    },
    contentTypes: [
      '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>',
      override('xl/drawings/drawing1.xml', 'drawing'),
      override('xl/charts/chart1.xml', 'drawingml.chart'),
      override('xl/comments1.xml', 'spreadsheetml.comments'),
      override('xl/tables/table1.xml', 'spreadsheetml.table'),
      override('xl/calcChain.xml', 'spreadsheetml.calcChain'),
    ].join(''),
    workbookRelations: `<Relationship Id="rId90" Type="${OFFICE}/calcChain" Target="calcChain.xml"/>`,
    ...change,
  });
}
