//! A worker that requests a pickup may die at any point: the next round ends it, with one pickup.

use dakiya_core::failpoints::FailAction;
use dakiya_core::limits;

use super::partners::{BOTH, booked, day, days, later};
use super::{choices, plan, standing};
use crate::app::block_on;
use crate::couriers::Rig;
use crate::patience::until;

#[test]
fn a_pickup_whose_asker_dies_on_the_way_is_ended_by_the_next_round_and_is_one() {
    block_on(async {
        for partner in BOTH {
            for point in ["asking for a pickup", "pickup answered"] {
                let rig = Rig::start().await;
                let id = booked(&rig, partner, "struck-half-way").await;
                let times = choices(&rig.asha, &id).await;
                dakiya_core::failpoints::arm(
                    point,
                    &rig.user_id().await,
                    FailAction::Stall(60_000),
                );
                let (asha, to, when) = (rig.asha.clone(), id.clone(), times[1].clone());
                let gone = tokio::spawn(async move { plan(&asha, &to, &when).await });
                until(point, async || !dakiya_core::failpoints::armed(point)).await;
                // The customer hangs up.
                gone.abort();
                assert_eq!(standing(&rig.asha, &id).await, "requested");
                later(&rig, limits::PICKUP_TASKS.lease_ms + 1_000).await;
                later(&rig, 61_000).await;
                let stands = standing(&rig.asha, &id).await;
                assert_eq!(stands, "confirmed", "{partner} {point}");
                assert_eq!(days(&rig, partner).await, [day(&times[1])], "{partner} {point}");
            }
        }
    });
}
