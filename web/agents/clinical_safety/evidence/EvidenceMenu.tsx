import { Button, Menu } from '@mantine/core';
import {
  IconChevronDown,
  IconFileSpreadsheet,
  IconFileTypePdf,
  IconLink,
  IconPrinter,
  IconRosetteDiscountCheck,
} from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { printPath } from '../../../../models/contracts/clinical_safety/evidence.ts';
import { showDownloadFailure } from '../../../data/chat.ts';
import { savePdf, saveRelease, saveWorkbook } from './evidence.ts';

const SharedLinks = lazy(async () => ({
  default: (await import('../../../parts/sharing/SharedLinks.tsx')).SharedLinks,
}));

/** Everything about one analysis for an auditor: as a PDF, as a workbook, printed; for its owners also as a release file and by a link. */
export function EvidenceMenu({ id, mayShare }: { id: number; mayShare: boolean }) {
  const [busy, setBusy] = useState(false);
  const [sharing, setSharing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const save = async (how: (id: number) => Promise<void>) => {
    setBusy(true);
    await how(id).catch(showDownloadFailure);
    setBusy(false);
  };
  const share = () => {
    // The entry goes with the menu; closing the links returns the focus to what has it now.
    button.current?.focus();
    setSharing(true);
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            aria-busy={busy || undefined}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            Evidence pack
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => save(savePdf)} leftSection={<IconFileTypePdf size={16} aria-hidden />}>
            Download as PDF
          </Menu.Item>
          <Menu.Item onClick={() => save(saveWorkbook)} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
            Download as Excel (.xlsx)
          </Menu.Item>
          <Menu.Item component={Link} to={printPath(id)} leftSection={<IconPrinter size={16} aria-hidden />}>
            Print
          </Menu.Item>
          {mayShare ? (
            <Menu.Item
              onClick={() => save(saveRelease)}
              leftSection={<IconRosetteDiscountCheck size={16} aria-hidden />}
            >
              Release file, to verify elsewhere (.zip)
            </Menu.Item>
          ) : null}
          {mayShare ? (
            <Menu.Item onClick={share} leftSection={<IconLink size={16} aria-hidden />}>
              Links for auditors
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {sharing ? (
        <Suspense fallback={null}>
          <SharedLinks
            of={{ agentId: 'clinical_safety', resultId: id }}
            shows="the evidence of this analysis, with the names of those who decided"
            onClose={() => setSharing(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
