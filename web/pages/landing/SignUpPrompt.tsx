import '../../styles/wholePage.ts';
import { Button, Modal } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import classes from './LandingPage.module.css';

/** Invites a visitor to sign up and keep their progress. */
export function SignUpPrompt({ reason, onClose }: { reason: 'hired' | 'onboarded'; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Modal opened onClose={onClose} title="Great work!" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <p>
        {reason === 'hired'
          ? 'Your agent is hired. Sign up to save your progress: your goal, your team and its tools are kept.'
          : 'Your team is onboarded. Sign up to save your progress and put your team to work.'}
      </p>
      <p className={classes.promptNote}>14 days free, no card needed.</p>
      <div className={classes.promptActions}>
        <Button onClick={() => navigate('/auth?tab=signup')}>Sign up for free</Button>
        <Button variant="default" onClick={onClose}>
          {reason === 'hired' ? 'Choose tools first' : 'Not now'}
        </Button>
      </div>
    </Modal>
  );
}
