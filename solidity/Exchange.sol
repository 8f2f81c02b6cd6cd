// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Signatures} from "./Signatures.sol";
import {OPERATOR, OUTCOME_TOKENS, POLY_USD} from "./Venue.sol";

/// Moves what the venue's matches cost and bring. The other side of each fill is the house: it holds shares of its own
/// and makes new sets where it has too few. Collateral and shares are taken by allowance and approval, as ever.
contract Exchange {
    bytes4 private constant EIP1271_ACCEPTED = 0x1626ba7e;
    uint8 private constant EOA = 0;
    uint8 private constant POLY_1271 = 3;

    struct Fill {
        address wallet;
        bytes32 conditionId;
        uint256 tokenId;
        bool isBuy;
        uint256 shares;
        uint256 collateral;
        uint256 fee;
    }

    /// So that fills which are sent again, because their reply was lost, are not settled again.
    mapping(bytes32 => bool) public isSettled;

    event Settled(bytes32 indexed id);

    /// All fills or none.
    function settle(bytes32 id, Fill[] calldata fills) external {
        require(msg.sender == OPERATOR, "Exchange: only the operator");
        require(!isSettled[id], "Exchange: already settled");
        isSettled[id] = true;
        for (uint256 i = 0; i < fills.length; i++) {
            require(OUTCOME_TOKENS.conditionOf(fills[i].tokenId) == fills[i].conditionId, "Exchange: token of another condition");
            if (fills[i].isBuy) sellTo(fills[i]);
            else buyFrom(fills[i]);
        }
        emit Settled(id);
    }

    function isOrderSigned(bytes32 hash, address signer, uint8 signatureType, bytes calldata signature) external view returns (bool) {
        if (signatureType == EOA) return signer != address(0) && Signatures.signerOf(hash, signature) == signer;
        if (signatureType != POLY_1271 || signer.code.length == 0) return false;
        (bool answered, bytes memory answer) =
            signer.staticcall(abi.encodeWithSignature("isValidSignature(bytes32,bytes)", hash, signature));
        return answered && answer.length >= 32 && abi.decode(answer, (bytes32)) == bytes32(EIP1271_ACCEPTED);
    }

    function sellTo(Fill calldata fill) private {
        POLY_USD.transferFrom(fill.wallet, address(this), fill.collateral + fill.fee);
        uint256 held = OUTCOME_TOKENS.balanceOf(address(this), fill.tokenId);
        if (held < fill.shares) makeSets(fill.conditionId, fill.shares - held);
        OUTCOME_TOKENS.safeTransferFrom(address(this), fill.wallet, fill.tokenId, fill.shares, "");
    }

    function buyFrom(Fill calldata fill) private {
        require(fill.fee <= fill.collateral, "Exchange: fee exceeds proceeds");
        OUTCOME_TOKENS.safeTransferFrom(fill.wallet, address(this), fill.tokenId, fill.shares, "");
        haveCollateral(fill.collateral);
        POLY_USD.transfer(fill.wallet, fill.collateral - fill.fee);
    }

    function makeSets(bytes32 conditionId, uint256 amount) private {
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        haveCollateral(amount);
        POLY_USD.approve(address(OUTCOME_TOKENS), amount);
        OUTCOME_TOKENS.splitPosition(address(POLY_USD), 0, conditionId, partition, amount);
    }

    /// The house never runs out of play money.
    function haveCollateral(uint256 amount) private {
        uint256 held = POLY_USD.balanceOf(address(this));
        if (held < amount) POLY_USD.mint(address(this), amount - held);
    }
}
